import { closest } from "@tranche/shared/domain/text/closest";

const CODES = new Set(Intl.supportedValuesOf("currency"));

/** Notations of currencies. `$`, `¥` and `kr` belong to several and stay as they are. */
const MARKS: Readonly<Record<string, string>> = {
  $: "$",
  US$: "USD",
  "U.S.$": "USD",
  DOLLAR: "USD",
  DOLLARS: "USD",
  "US DOLLARS": "USD",
  DÓLARES: "USD",
  "U.S. DOLLARS": "USD",
  "€": "EUR",
  EURO: "EUR",
  EUROS: "EUR",
  "£": "GBP",
  POUNDS: "GBP",
  "¥": "¥",
  YEN: "JPY",
  "JP¥": "JPY",
  "CN¥": "CNY",
  RMB: "CNY",
  "₹": "INR",
  RS: "INR",
  "RS.": "INR",
  RUPEES: "INR",
  A$: "AUD",
  AU$: "AUD",
  C$: "CAD",
  CA$: "CAD",
  HK$: "HKD",
  NZ$: "NZD",
  NT$: "TWD",
  R$: "BRL",
  REAIS: "BRL",
  S$: "SGD",
  "₩": "KRW",
  "₪": "ILS",
  "₽": "RUB",
  "₺": "TRY",
  TL: "TRY",
  دولار: "USD",
  "₦": "NGN",
  "₫": "VND",
  "₱": "PHP",
  KR: "kr",
  "KR.": "kr",
  KRONOR: "kr",
  KRONER: "kr",
  ZŁ: "PLN",
  KČ: "CZK",
  人民币: "CNY",
  人民幣: "CNY",
  元人民币: "CNY",
  元人民幣: "CNY",
  元: "CNY",
  美元: "USD",
  美金: "USD",
  欧元: "EUR",
  歐元: "EUR",
  港元: "HKD",
  港币: "HKD",
  日元: "JPY",
  円: "JPY",
  원: "KRW",
  РУБ: "RUB",
  "РУБ.": "RUB",
};

/** The currencies that a mark may stand for. */
const SHARED_MARKS: Readonly<Record<string, readonly string[]>> = {
  $: ["USD", "AUD", "CAD", "HKD", "NZD", "SGD", "TWD", "MXN", "ARS", "CLP", "COP", "BRL", "UYU"],
  "¥": ["JPY", "CNY"],
  kr: ["SEK", "NOK", "DKK", "ISK"],
};

/** Whether a mark, such as `$` or `kr`, may stand for a currency. */
export const mayStandFor = (mark: string, code: string): boolean => SHARED_MARKS[mark]?.includes(code) ?? false;

/** The currency of a mark or code: an ISO 4217 code, `$`, `¥` or `kr`; undefined when it is not known. */
export function currencyOf(mark: string): string | undefined {
  const upper = mark.trim().toUpperCase();
  return Object.hasOwn(MARKS, upper) ? MARKS[upper] : CODES.has(upper) ? upper : undefined;
}

/** US dollars for one unit: one rate, or a rate by year. */
export type Rates = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/**
 * The currency of an amount, from the symbol in its text and the currency of its row (or of the mapping). A mark of several currencies is
 * the row's one if it is among them; a bare `$` is otherwise US dollars. Contradicting currencies are a problem.
 */
export function agreedCurrency(
  inText: string | undefined,
  given: string | undefined,
): { code: string } | { reason: string } {
  if (inText === undefined || inText === given) return { code: given ?? "USD" };
  if (given === undefined) return { code: inText === "$" ? "USD" : inText };
  if (mayStandFor(inText, given)) return { code: given };
  if (mayStandFor(given, inText)) return { code: inText };
  return { reason: `is written in ${inText}, but its currency is given as ${given}` };
}

/** US dollars for one unit of a currency. `year`: of the date, four digits. */
export function rateOf(code: string, rates: Rates, year: string | undefined): { rate: number } | { reason: string } {
  if (code === "USD" || code === "$") return { rate: 1 };
  const found = Object.entries(rates).find(([mark]) => currencyOf(mark) === code)?.[1];
  if (found === undefined)
    return { reason: `is in ${code}, expected US dollars: give a rate for ${code} under "currency"` };
  if (typeof found === "number") return { rate: found };
  if (year === undefined) return { reason: `is in ${code}, whose rate depends on the year, and the date is empty` };
  const rate = found[year];
  const years = Object.keys(found);
  return rate === undefined
    ? { reason: `is in ${code}, which has no rate for ${year}, only for ${years[0]} to ${years.at(-1)}` }
    : { rate };
}

/** Why a text does not name a currency. */
export function unknownCurrency(mark: string): string {
  const near = closest(mark.toUpperCase(), [...CODES, ...Object.keys(MARKS)]);
  return `'${mark}' is not a known currency${near === undefined ? "" : `. Did you mean '${near}'?`}`;
}
