import { closest } from "@tranche/shared/domain/text/closest";
import { currencyOf } from "./currency.ts";

const UNITS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  thousands: 1e3,
  tsd: 1e3,
  tys: 1e3,
  tis: 1e3,
  tausend: 1e3,
  tusen: 1e3,
  mille: 1e3,
  miles: 1e3,
  тыс: 1e3,
  ألف: 1e3,
  هزار: 1e3,
  lakh: 1e5,
  lakhs: 1e5,
  lac: 1e5,
  m: 1e6,
  mm: 1e6,
  mn: 1e6,
  mln: 1e6,
  mio: 1e6,
  mi: 1e6,
  mill: 1e6,
  milj: 1e6,
  milion: 1e6,
  million: 1e6,
  millions: 1e6,
  millionen: 1e6,
  millones: 1e6,
  milioni: 1e6,
  milhão: 1e6,
  milhões: 1e6,
  millón: 1e6,
  milione: 1e6,
  млн: 1e6,
  مليون: 1e6,
  ملايين: 1e6,
  میلیون: 1e6,
  miljoen: 1e6,
  miljoenen: 1e6,
  miljon: 1e6,
  miljoner: 1e6,
  millioner: 1e6,
  milyon: 1e6,
  cr: 1e7,
  crore: 1e7,
  crores: 1e7,
  b: 1e9,
  bn: 1e9,
  bln: 1e9,
  bi: 1e9,
  billion: 1e9,
  billions: 1e9,
  mrd: 1e9,
  mia: 1e9,
  mld: 1e9,
  md: 1e9,
  mds: 1e9,
  bilhão: 1e9,
  bilhões: 1e9,
  miliardi: 1e9,
  miljard: 1e9,
  miljarder: 1e9,
  milliarder: 1e9,
  milyar: 1e9,
  milliarde: 1e9,
  milliarden: 1e9,
  milliard: 1e9,
  milliards: 1e9,
  млрд: 1e9,
  مليار: 1e9,
  میلیارد: 1e9,
};

/** A unit and a currency in one word: `25 Mkr`, `3 MSEK`, `500 TEUR`. */
const UNIT_AND_CURRENCY = /^(?<unit>[KT]|M[MND]?|BN?|[kt]|m[mnd]?|bn?)(?<currency>[Kk]r|KR|[A-Z]{3})$/;

/** Units that are written before a currency without a space: `2000万人民币`. */
const HAN_UNITS: readonly (readonly [string, number])[] = [
  ["百万", 1e6],
  ["千万", 1e7],
  ["万", 1e4],
  ["萬", 1e4],
  ["亿", 1e8],
  ["億", 1e8],
  ["백만", 1e6],
  ["천만", 1e7],
  ["만", 1e4],
  ["억", 1e8],
];

type ReadAmount =
  /** `currency` is the mark in the text: an ISO code, `$`, `¥`, or undefined when there is none. */
  { ok: true; amount: number; currency: string | undefined } | { ok: false; reason: string };

const refused = (reason: string): ReadAmount => ({ ok: false, reason });

/**
 * Reads an amount as people write it: `20,00,00,000`, `14,342,000+`, `~$3.5M`, `US$ 1.2 bn`, `2 crore`, `1e6`. An ambiguous text (a
 * range, impossible digit groups, a remark) is refused with the reason.
 */
export function readAmount(written: string, decimal: "." | "," = "."): ReadAmount {
  const text = westernDigits(written, decimal);
  // `100.–` is a round amount.
  const bare = text
    .trim()
    .replace(/\+$|[.,][-–—]{1,2}$/, "")
    .trimEnd();
  const begin = bare.search(/\d/);
  if (begin === -1) return refused(`'${text}' is not a valid amount: it has no digits`);
  const start = bare[begin - 1] === decimal ? begin - 1 : begin;
  const before = bare
    .slice(0, start)
    .replace(/^[~≈>≥]/, "")
    .trim();
  const isNegative = /^[-−]|[-−]$/.test(before);
  const prefix = before.replace(/^[-−]|[-−]$/g, "").trim();
  const number = /^[\d.,\s'’_]*/.exec(bare.slice(start))![0];
  const behind = bare.slice(start + number.length);
  const exponent = /^e[+-]?\d{1,2}(?!\d)/i.exec(behind)?.[0] ?? "";
  const rest = behind.slice(exponent.length).trim();

  const digits = readDigits(number.trim(), decimal);
  if ("reason" in digits) return refused(digits.reason);
  const { unit, length } = unitAt(rest);
  if ([rest, rest.slice(length).trim()].some((each) => /^(?:[-–—]|to\b).*\d/i.test(each)))
    return refused(`'${text}' is a range, expected one amount`);
  const suffix = rest
    .slice(length)
    .replace(/^\.? *(?:d[ei] |d['’])?/i, "")
    .trim();
  const marks = [prefix, suffix].filter((mark) => mark !== "");
  const currencies = marks.map(currencyOf);
  const unknown = marks[currencies.indexOf(undefined)];
  if (unknown !== undefined) return refused(unknownText(text, unknown));
  if (new Set(currencies).size > 1 && !currencies.includes("$")) return refused(`'${text}' names two currencies`);
  const amount = Number(`${digits.text}${exponent}`) * unit;
  return {
    ok: true,
    amount: isNegative ? -amount : amount,
    currency: currencies.find((mark) => mark !== "$") ?? currencies[0],
  };
}

/** Digits of full width, and Arabic and Persian ones, whose marks say which one separates the decimals, as `0` to `9`. */
export function westernDigits(written: string, decimal: "." | "," = "."): string {
  const text = written.replace(/[！-～￥]/g, (mark) => mark.normalize("NFKC"));
  if (!/[٠-٩۰-۹]/.test(text)) return text;
  return text
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll("٫", decimal)
    .replaceAll("٬", decimal === "." ? "," : ".");
}

/** The unit with which a text begins: its factor, and the length of its name. */
function unitAt(text: string): { unit: number; length: number } {
  const word = /^\p{L}*/u.exec(text)![0];
  const unit = unitOf(word);
  if (unit !== undefined) return { unit, length: word.length };
  const joined = UNIT_AND_CURRENCY.exec(word)?.groups;
  if (joined && currencyOf(joined["currency"]!) !== undefined) {
    const letters = joined["unit"]!.toLowerCase();
    return { unit: letters === "t" ? 1e3 : UNITS[letters]!, length: letters.length };
  }
  const han = HAN_UNITS.find(([name]) => text.startsWith(name));
  return han ? { unit: han[1], length: han[0].length } : { unit: 1, length: 0 };
}

/** The factor of the unit that follows the digits of a text. */
export function unitIn(written: string): number | undefined {
  const text = westernDigits(written);
  const behind = text.slice(Math.max(0, text.search(/\d/))).replace(/^[\d.,\s'’_]+/, "");
  const { unit, length } = unitAt(behind);
  return length === 0 ? undefined : unit;
}

/** The factor of a unit's name, such as `mn` or `crore`. */
export function unitOf(word: string): number | undefined {
  const lower = word.toLowerCase();
  return Object.hasOwn(UNITS, lower) ? UNITS[lower] : HAN_UNITS.find(([name]) => name === word)?.[1];
}

/** Rounds half up. Through text: 1.15 * 100 is not 115 in binary. */
export function roundTo(decimals: number, amount: number): number {
  const text = String(amount);
  const scale = 10 ** decimals;
  return Math.round(text.includes("e") ? amount * scale : Number(`${text}e${decimals}`)) / scale;
}

/** The digits without what groups them, by thousands or the Indian way (`20,00,00,000`). */
export function readDigits(written: string, decimal: "." | ","): { text: string } | { reason: string } {
  const [whole = "", fraction = "", ...more] = written.replace(/[.,]$/, "").split(decimal);
  const marks = new Set(whole.replace(/\d/g, "").replace(/\s/g, " "));
  const groups = whole.split(/[^\d]/);
  const [first = "", ...others] = groups;
  const last = others.at(-1);
  const isPlain = marks.size === 0;
  const byThousands = /^[1-9]\d{0,2}$/.test(first) && others.every((group) => group.length === 3);
  const indian =
    marks.has(",") &&
    /^[1-9]\d?$/.test(first) &&
    last?.length === 3 &&
    others.slice(0, -1).every((group) => group.length === 2);
  if (more.length > 0 || /\D/.test(fraction) || marks.size > 1 || !(isPlain || byThousands || indian)) {
    const other = decimal === "." ? "," : ".";
    const hint =
      written.split(other).length === 2 || more.length > 0
        ? `. If '${other}' separates the decimals, set "decimal": "${other}"`
        : "";
    return { reason: `'${written}' does not group its digits by thousands${hint}` };
  }
  return { text: `${groups.join("") || "0"}.${fraction || "0"}` };
}

function unknownText(text: string, unknown: string): string {
  const near = /^\p{L}+$/u.test(unknown) ? closest(unknown.toLowerCase(), Object.keys(UNITS)) : undefined;
  const hint =
    near && unknown.length > 3 ? `. Did you mean '${near}'?` : `. If it does not matter, take it out with "replace"`;
  return `'${text}' is not a valid amount: '${unknown}' is neither a unit nor a currency${hint}`;
}
