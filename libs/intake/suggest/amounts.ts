import { readAmount, unitIn, westernDigits } from "../mapping/amount.ts";
import { unitAndCurrencyOf } from "./amount-name.ts";
import { replaced } from "./taken-off.ts";

/** How the amounts of a column are written. */
export type Amounts = {
  /** How much of the texts is an amount or a range, 0 to 1. */
  share: number;
  decimal: "." | ",";
  /** A text that is another amount with the other decimal separator, where nothing decides. */
  openDecimal: string | undefined;
  /** The same, where it may also be read so if its unit is large. */
  unclearDecimal: string | undefined;
  factor: number;
  /** Why the unit is not known. */
  openUnit: string | undefined;
  /** Texts with a unit of their own stand beside texts without one. */
  mixedUnits: boolean;
  /** The currency in the column's name. */
  named: string | undefined;
  /** The column's name has several currencies. */
  namesSeveral: boolean;
  /** The currencies in the texts, `$` among them. */
  marks: string[];
  /** They are counted in lakhs or crores, as rupees are. */
  isIndian: boolean;
  /** Some texts have no mark of a currency. */
  hasBare: boolean;
  /** Text that is removed from the values before they are read. */
  replace: readonly (readonly [string, string])[];
  /** Texts that can't be read as one amount, and how many there are. */
  unread: string[];
  unreadCount: number;
  /** A text without a unit. */
  example: string | undefined;
};

const MAX_UNREAD = 50;
/** Rounds of fewer dollars are rare: the unit is missing. */
const SMALL = 100_000;
/** Rounds of more dollars are rare: the unit in the name is not that of the texts. */
const LARGE = 2e10;
/** No round had so many: even one such amount is without the unit in the name. */
const HUGE = 50 * LARGE;
/** Of a smaller unit nobody writes thousandths. */
export const LARGE_UNIT = 1e5;
/** Contradicting texts count as mistakes below this share. */
const MISTAKES = 0.01;

/** Words before an amount that is only about right. */
const ABOUT = "^(?:ca|approx|approximately|about|around|circa|rund|etwa|environ|env|over|über)\\b\\.? *";
/** Thousands in Spanish and Portuguese; in English `mil` is a million. */
const MIL: readonly (readonly [string, string])[] = [
  ["\\bmil mil(?:lones|hões)", "bn"],
  ["(?<=\\d ?)mil\\b", "k"],
];
const IBERIAN = /R\$|mil(?:lones|lón|hões|hão)|\d ?[mb]i\b|^(?:valor|monto|importe)/iu;

export function amountsOf(texts: readonly string[], name: string): Amounts {
  const inName = unitAndCurrencyOf(name);
  const around = [[ABOUT, ""] as const, ...([name, ...texts].some((text) => IBERIAN.test(text)) ? MIL : [])];
  const replace = around.filter(([from]) => texts.some((text) => new RegExp(from, "iu").test(text)));
  const bare = replace.length === 0 ? texts : texts.map((text) => replaced(text, replace));
  const { decimal, open, unclear } = decimalOf(bare, (inName.factor ?? 0) >= LARGE_UNIT);
  const read = bare.map((text) => ({ text, ...readAmount(text, decimal) }));
  const good = read.flatMap((each) => (each.ok ? [each] : []));
  const ranges = read.filter((each) => !each.ok && each.reason.includes("is a range"));
  const unread = read.filter((each) => !each.ok).map(({ text }) => text);
  const marks = [...new Set(good.flatMap(({ currency }) => currency ?? []))];
  const plain = good.filter(({ text, amount }) => unitIn(text) === undefined && amount !== 0);
  const mixed = plain.length > 0 && plain.length < good.filter(({ amount }) => amount !== 0).length;
  const middle = plain.map(({ amount }) => amount).toSorted((a, b) => a - b)[Math.floor(plain.length / 2)] ?? 0;
  const factor = plain.length > 0 ? (inName.factor ?? 1) : 1;
  const huge = plain.find(({ amount }) => inName.factor !== undefined && amount * inName.factor > HUGE);
  const openUnit = unitProblem();
  return {
    share: texts.length === 0 ? 0 : (good.length + ranges.length) / texts.length,
    decimal,
    openDecimal: open,
    unclearDecimal: open ?? unclear,
    factor: mixed ? 1 : factor,
    openUnit,
    mixedUnits: mixed,
    named: inName.currency,
    namesSeveral: inName.namesSeveral,
    marks,
    isIndian: [inName.factor, ...good.map(({ text }) => unitIn(text))].some((unit) => unit === 1e5 || unit === 1e7),
    hasBare: good.some(({ currency, amount }) => currency === undefined && amount !== 0),
    replace,
    unread: [...new Set(unread)].slice(0, MAX_UNREAD),
    unreadCount: unread.length,
    example: (huge ?? plain[0])?.text,
  };

  function unitProblem(): string | undefined {
    if (plain.length === 0) return undefined;
    if (inName.isAmbiguous) return "the unit in the column's name has several meanings";
    if (inName.factor !== undefined && mixed)
      return "some texts have a unit of their own, and the column's name has one too";
    if (middle < SMALL && factor === 1) return "no unit is given, and these are small amounts";
    if (middle * factor > LARGE || huge) return "with the unit in the column's name these are unusually large amounts";
    return undefined;
  }
}

/** `unclear`: a text that has two readings, where no other one decides. */
type Decimal = { decimal: "." | ","; open: string | undefined; unclear?: string | undefined };

/** A text whose decimal separator can't be told is `open` where nothing else decides. `inName`: the column's name has a large unit. */
function decimalOf(texts: readonly string[], inName: boolean): Decimal {
  const proofs = { ".": 0, ",": 0 };
  const unclear: { text: string; mark: "." | "," }[] = [];
  for (const text of texts.map((each) => westernDigits(each))) {
    const digits = /\d[\d.,]*\d|[.,]\d+/.exec(text.replace(/(?<=\d)[\s'’](?=\d{3})/g, ""))?.[0] ?? "";
    const used = Array.from(digits).filter((each) => each === "." || each === ",");
    const [mark] = used;
    if (mark === undefined) continue;
    const other = mark === "." ? "," : ".";
    const last = used.at(-1)!;
    const [whole = "", fraction = ""] = digits.split(mark);
    if (new Set(used).size > 1) proofs[last]++;
    else if (used.length > 1) proofs[other]++;
    else if (fraction.length !== 3 || whole.length > 3 || whole === "0" || whole === "") proofs[mark]++;
    else unclear.push({ text, mark: mark });
  }
  const best = proofs[","] > proofs["."] ? "," : ".";
  const against = Math.min(proofs[","], proofs["."]);
  const isOpen = (open: boolean) => (open ? unclear[0]?.text : undefined);
  if (proofs[best] > 0) return { decimal: best, open: isOpen(against > MISTAKES * proofs[best]) };
  const marks = new Set(unclear.map(({ mark }) => mark));
  const [mark] = marks;
  const hasUnit = inName || unclear.some(({ text }) => (unitIn(text) ?? 0) >= LARGE_UNIT);
  if (mark === undefined) return { decimal: ".", open: undefined };
  // Thousandths of a dollar are not written: without a unit the mark groups thousands.
  return {
    decimal: mark === "." && !hasUnit ? "," : ".",
    open: isOpen(hasUnit || marks.size > 1),
    unclear: unclear[0]?.text,
  };
}
