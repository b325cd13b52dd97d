import { readAmount, unitOf } from "../mapping/amount.ts";
import { currencyOf } from "../mapping/currency.ts";
import { unitAndCurrencyOf } from "./amount-name.ts";
import { amountsOf } from "./amounts.ts";
import { PART, type Recogniser, shareOf } from "./recogniser.ts";
import type { Column } from "./roles.ts";

/** Columns of amounts, and of their currencies and units. */
export const AMOUNT_COLUMNS = {
  currency: {
    names: [
      /currency|wahrung|devise|moneda|moeda|divisas?(?:-|$)|valuta|waluta|валюта|币种|通貨/,
      /^(?:ccy|cur|curr)(?:-code)?$/,
    ],
    fits: ({ texts }) => shareOf(texts, (text) => currencyOf(text) !== undefined),
    traps: [
      [/total/, "it is the currency of a total", PART],
      [/symbol/, "a code says it, too", PART],
    ],
  },
  unit: {
    names: [/(?:^|-)(?:units?|einheit|unite|unidad|scale|multiplier|magnitude)$/],
    fits: ({ texts }) => shareOf(texts, (text) => unitOf(text) !== undefined),
  },
  amount: {
    names: [
      /^(?!.*total)(?:.*(?:amount|raised|size|value).*usd|.*usd.*(?:amount|raised))/,
      /^(?:the-)?(?:round-|deal-)?(?:amount|raised|amount-raised|raised-amount|money-raised|deal-size|round-size|size)(?:-in)?(?:-(?:usd|us|eur|gbp|inr|k|m|mm|mn|bn|cr|millions?|thousands?|crores?|lakhs?|dollars?))*$/,
      /^(?!.*total).*(?:amount|raised)|betrag|volumen|montant|^levee(?:-|$)|monto|importe|valor|quantia|importo|bedrag|belopp|bel[oø][bp]|kwota|сумм?а|částka|castka|ποσο|osszeg|金额|金額|融资额|調達額|투자금|tutar|المبلغ|deal-amount/,
      /^raise$|^invested$|last-(?:funding|round)-(?:total|size|value)$/,
      /money|round-size|deal-size|investment-size|(?:deal|transaction)-value|ticket|che(?:que|ck)-size|summ[ae]|finanzierung(?:ssumme|svolumen|shohe)/,
      /^(?:size|value|total|usd|sum)$/,
      /^(?:the-)?(?:funding|financing|proceeds|investment|capital|investition|kapital)(?:-|$)(?!.*(?:type|round|stage|date|status))/,
      /^funds|amount|raised|funding-total/,
    ],
    // Sizes of companies are ranges of people.
    fits: ({ texts, name, key }) =>
      key === "size" && texts.some((text) => /^[\d,.]+ ?[-–] ?[\d,.]+$/.test(text)) ? 0 : amountsOf(texts, name).share,
    traps: [
      [/valuation|bewertung|valorisation|valoracion|pre-money|post-money/, "a valuation is not the amount of a round"],
      [
        /revenue|umsatz|sales|chiffre|turnover|ebitda|profit|loss|burn|price|market-cap/,
        "it is not the amount of a round",
      ],
      [/acquisition|purchase/, "the price of a company is not the amount of a round"],
      [/(?:^|-)(?:debt|loan|grant|secondary|equity)(?:-|$)/, "it is a part of what was raised", PART],
      [/salary|wages?(?:-|$)|compensation|gehalt|salaire/, "a salary is not the amount of a round"],
      [/(?:^|-)ask(?:ed)?(?:-|$)|offering/, "what was asked for is not what was raised"],
      [/percent|share|stake|anteil|count|number-of|rounds$|rank|laid|realized/, "it is not the amount of a round"],
      [
        /to-date|cumulative|previous|prior|average|committed|expected|planned|target/,
        "it is not the amount of this round",
      ],
      [/date|type|stage|status/, "its name says something else"],
    ],
  },
} satisfies Record<string, Recogniser>;

/** Whether a column of amounts is likely, whatever its name: its texts have a currency or a unit. */
export const looksLikeAmounts = ({ texts, name }: Column): boolean =>
  (unitAndCurrencyOf(name).currency !== undefined || shareOf(texts, (text) => /\p{Sc}/u.test(text)) > 0.5) &&
  shareOf(texts, (text) => readAmount(text).ok || readAmount(text, ",").ok) > 0.6;
