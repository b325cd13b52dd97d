import type { Language } from "./headers.ts";
import type { Random } from "./random.ts";
import type { TrueRound } from "./rounds.ts";

const UNITS: readonly { factor: number; named: string[]; written: string[]; answer: string }[] = [
  { factor: 1, named: [""], written: [""], answer: "ones" },
  { factor: 1e3, named: ["k", "thousands", "in thousands"], written: ["k", "K"], answer: "thousands" },
  {
    factor: 1e6,
    named: ["m", "mm", "millions", "in millions", "Mio.", "mn"],
    written: ["m", "M", " million", " Mio.", "MM"],
    answer: "millions",
  },
  { factor: 1e7, named: ["crores", "in Crores", "Cr"], written: [" crore", " Cr"], answer: "crores" },
];
const SYMBOLS: Readonly<Record<string, string>> = { USD: "$", EUR: "€", GBP: "£", INR: "₹" };
/** How a table writes its amounts. */
export function amountNotation(random: Random, currency: string, encoding: string, language: Language) {
  const hasSymbol =
    encoding.startsWith("utf") || currency === "USD" || (currency !== "INR" && encoding === "windows-1252");
  const unit = random.pick([UNITS[0]!, UNITS[0]!, UNITS[1]!, UNITS[2]!, UNITS[2]!, UNITS[3]!]);
  const unitIn = unit.factor === 1 ? "nowhere" : random.pick(["name", "name", "text", "nowhere"]);
  const perRow = random.chance(0.1);
  const currencyIn = perRow
    ? "nowhere"
    : random.pick(["name", "name", "text", currency === "USD" && language === "en" ? "nowhere" : "name"]);
  const decimal: "." | "," = random.chance(language === "en" ? 0.1 : 0.6) ? "," : ".";
  const group =
    unitIn === "nowhere" && unit.factor === 1 && random.chance(0.5)
      ? decimal === ","
        ? random.pick([".", " ", "'"])
        : random.pick([",", " "])
      : "";
  const decimals = group !== "" && random.chance(0.3) ? 2 : undefined;
  const sign = hasSymbol && random.chance(0.5) ? SYMBOLS[currency]! : currency;
  const unitName = random.pick(unit.named);
  const unitText = random.pick(unit.written);
  const front = sign.length === 1 || random.chance(0.5);
  const suffix = random.pick(["brackets", "underscore"]);
  return {
    name: `${currency} in ${perRow ? "column" : currencyIn}, ${unit.answer} in ${unitIn}, decimal ${decimal}, group '${group}'`,
    perRow,
    decimal,
    answer: unit.answer,
    header(base: string): string {
      const words = [currencyIn === "name" ? sign : "", unitIn === "name" ? unitName : ""].filter(
        (word) => word !== "",
      );
      if (words.length === 0) return base;
      return suffix === "brackets" || /[^\x20-\x7e]/.test(sign)
        ? `${base} (${words.join(" ")})`
        : `${base}_${words.join("_").replaceAll(" ", "_")}`;
    },
    write({ amount }: TrueRound): string {
      const value = amount! / unit.factor;
      const [whole = "", fraction] = (decimals === undefined ? String(value) : value.toFixed(decimals)).split(".");
      const grouped = grouped3(whole, group);
      const digits = fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
      const written = unitIn === "text" ? `${digits}${unitText}` : digits;
      if (currencyIn !== "text") return written;
      return front ? (sign.length === 1 ? `${sign}${written}` : `${sign} ${written}`) : `${written} ${sign}`;
    },
  };
}

function grouped3(whole: string, mark: string): string {
  return whole.length <= 3 ? whole : `${grouped3(whole.slice(0, -3), mark)}${mark}${whole.slice(-3)}`;
}
