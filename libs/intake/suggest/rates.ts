import { currencyOf } from "../mapping/currency.ts";
import type { Question } from "../mapping/schema.ts";

/** What the question about rates takes beside its answers: `rates such as EUR=1.1, GBP=1.1`. */
export const exampleOfRates = (codes: readonly string[]): string =>
  `${codes.length === 1 ? "a rate" : "rates"} such as ${codes.map((code) => `${code}=1.1`).join(", ")}`;

/** The currencies of which the question asks the rates. */
export const currenciesIn = ({ free = "" }: Question): string[] =>
  free.split(/[ ,]/).flatMap((word) => (word.includes("=") ? [word.slice(0, word.indexOf("="))] : []));

/** No currency is worth a thousand dollars, so a comma separates the decimals of a rate. */
const RATE = /^(?<code>[^\d=.]+)=(?<rate>\d{1,3}(?:[.,]\d+)?)$/;
const BETWEEN_RATES = /[;\s]+|,(?!\d)[;\s]*/;

/** `EUR=1.08, GBP=1,27`, or `1.08` for the only currency; undefined when it is not that, and `{}` for `refuse`. */
export function ratesIn(answer: string | undefined, codes: readonly string[]): Record<string, number> | undefined {
  if (answer === undefined) return undefined;
  if (answer === "refuse") return {};
  const text = answer
    .split("=")
    .map((part) => part.trim())
    .join("=");
  const isBare = codes.length === 1 && !text.includes("=");
  const rates = new Map<string, number>();
  for (const part of isBare ? [`${codes[0]}=${text}`] : text.split(BETWEEN_RATES)) {
    const { code = "", rate = "" } = RATE.exec(part)?.groups ?? {};
    const currency = currencyOf(code);
    const value = Number(rate.replace(",", "."));
    if (currency === undefined || rates.has(currency) || !(value > 0)) return undefined;
    rates.set(currency, value);
  }
  return codes.every((code) => rates.has(code)) ? Object.fromEntries(rates) : undefined;
}
