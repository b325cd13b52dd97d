import { unitOf } from "../mapping/amount.ts";
import { currencyOf } from "../mapping/currency.ts";

type InName = { factor: number | undefined; isAmbiguous: boolean; currency: string | undefined; namesSeveral: boolean };

/** Codes of currencies that are not words of a language, so that they count in lower case, too. */
const PLAIN_CODES = new Set(
  "usd eur gbp inr chf cny rmb jpy aud cad sgd hkd sek nok dkk pln brl krw ils zar ngn kes aed sar mxn rub czk huf idr thb nzd".split(
    " ",
  ),
);
const WORDS: Readonly<Record<string, string>> = {
  euro: "EUR",
  euros: "EUR",
  dollar: "USD",
  dollars: "USD",
  rupees: "INR",
  rs: "INR",
  kr: "kr",
  kronor: "kr",
  kroner: "kr",
  pounds: "GBP",
  sterling: "GBP",
  yen: "JPY",
  yuan: "CNY",
  rmb: "CNY",
  franken: "CHF",
  reais: "BRL",
  рублей: "RUB",
  руб: "RUB",
  tl: "TRY",
  zł: "PLN",
  دولار: "USD",
  원: "KRW",
};
/** Letters that are a unit only beside a currency, in brackets, or at the end. */
const LETTER_UNITS = new Set(["k", "m", "b", "t"]);
/** Whole numbers of hundredths, as payment systems have them. */
const HUNDREDTHS = new Set(["cent", "cents", "pence", "paise", "centimes", "centavos", "minor"]);
/** Words that are a thousand in one language and a million in another. */
const AMBIGUOUS_UNITS = new Set(["mil", "mill"]);

/** The unit and the currency in the name of a column: `Deal size (€m)`, `funds_raised_millions`, `Volumen (Mio. EUR)`. */
export function unitAndCurrencyOf(name: string): InName {
  const written = name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  const tokens = (written.match(/(?:US|CA|C|AU|A|HK|NZ|S|R)\$|\p{Sc}|\p{L}+|\d+/gu) ?? []).flatMap(joined);
  const currencies = new Set<string>();
  const units = new Set<number>();
  let isAmbiguous = false;
  for (const [index, token] of tokens.entries()) {
    const currency = currencyToken(token);
    if (currency !== undefined) {
      currencies.add(currency);
      continue;
    }
    const lower = token.toLowerCase();
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (AMBIGUOUS_UNITS.has(lower)) isAmbiguous = true;
    else if (HUNDREDTHS.has(lower)) units.add(0.01);
    else if (lower === "000" || lower === "000s") units.add(1e3);
    else if (LETTER_UNITS.has(lower)) {
      const besideCurrency = [before, after].some((each) => each !== undefined && currencyToken(each) !== undefined);
      const isLast = after === undefined && !/^(?:series|serie|round|runde)$/i.test(before ?? "series");
      if (besideCurrency || isLast || new RegExp(`[(\\[]\\s*${token}\\s*[)\\]]`).test(name))
        units.add(lower === "t" ? 1e3 : unitOf(lower)!);
    } else {
      const unit = unitOf(token);
      if (unit !== undefined) units.add(unit);
    }
  }
  const isUsd = (code: string) => code === "USD" || code === "$";
  const [currency] = currencies;
  const codes = new Set([...currencies].map((code) => (isUsd(code) ? "USD" : code)));
  return {
    factor: units.size === 0 ? undefined : [...units].reduce((a, b) => Math.max(a, b)),
    isAmbiguous: isAmbiguous || units.size > 1,
    namesSeveral: codes.size > 1,
    currency: codes.size > 1 || currency === undefined ? undefined : isUsd(currency) ? "USD" : currency,
  };
}

/** `TEUR`, `USDm` and `kEUR` are a unit and a currency. */
function joined(token: string): string[] {
  const lower = token.toLowerCase();
  const han = ["百万", "千万", "万", "萬", "亿", "億", "백만", "천만", "만", "억"].find((unit) => token.includes(unit));
  if (han !== undefined) return [han, token.slice(token.indexOf(han) + han.length)].filter((part) => part !== "");
  if (/^(?:k|t|m|mn|md|mia)kr$/.test(lower)) return [lower.slice(0, -2), "kr"];
  for (const code of PLAIN_CODES) {
    if (lower.startsWith(code) && /^(?:k|m|mm|mn|mio|b|bn)$/.test(lower.slice(3))) return [code, lower.slice(3)];
    if (lower.endsWith(code) && /^(?:k|t|m|mm|mn|mio|b|bn)$/.test(lower.slice(0, -3)))
      return [lower.slice(0, -3), code];
  }
  return [token];
}

function currencyToken(token: string): string | undefined {
  const lower = token.toLowerCase();
  if (Object.hasOwn(WORDS, lower)) return WORDS[lower];
  if (PLAIN_CODES.has(lower)) return currencyOf(lower);
  return /^(?:\p{Lu}{3}|\p{Script=Han}{1,3})$/u.test(token) || /\p{Sc}/u.test(token) ? currencyOf(token) : undefined;
}
