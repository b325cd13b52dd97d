import { expect, test } from "vitest";
import { readAmount, roundTo } from "./amount.ts";

const amountOf = (text: string, decimal: "." | "," = ".") => {
  const read = readAmount(text, decimal);
  return read.ok ? [roundTo(2, read.amount), read.currency] : read.reason;
};

test.each([
  ["20,00,00,000", 200_000_000, undefined],
  ["14,342,000+", 14_342_000, undefined],
  ["$3.5M", 3_500_000, "$"],
  ["US$ 1.2 bn", 1_200_000_000, "USD"],
  ["2 crore", 20_000_000, undefined],
  ["1 000 000", 1_000_000, undefined],
  ["1'500.25", 1500.25, undefined],
  ["1,35,000,", 135_000, undefined],
  ["1.15", 1.15, undefined],
  ["0.575", 0.58, undefined],
  [".5m", 500_000, undefined],
  ["14,342,000 +", 14_342_000, undefined],
  ["2.5 USD", 2.5, "USD"],
  ["0", 0, undefined],
  ["1e6", 1_000_000, undefined],
  ["1.5E+07", 15_000_000, undefined],
  ["-$5", -5, "$"],
  ["$3.0 milion", 3_000_000, "$"],
  ["1.2MM", 1_200_000, undefined],
  ["1.5mln", 1_500_000, undefined],
  ["~$5m", 5_000_000, "$"],
  ["2000万人民币", 20_000_000, "CNY"],
  ["1.35亿人民币", 135_000_000, "CNY"],
  ["300万美元", 3_000_000, "USD"],
  ["12 Mrd €", 12_000_000_000, "EUR"],
  ["5 million US dollars", 5_000_000, "USD"],
  ["€2.5m", 2_500_000, "EUR"],
  ["£750k", 750_000, "GBP"],
  ["Rs. 5 crore", 50_000_000, "INR"],
  ["2.5 bn SEK", 2_500_000_000, "SEK"],
  [">$5M", 5_000_000, "$"],
  ["25 Mkr", 25_000_000, "kr"],
  ["25 MKR", 25_000_000, "kr"],
  ["5 KRW", 5, "KRW"],
  ["5 MXN", 5, "MXN"],
  ["5 TRY", 5, "TRY"],
  ["25 MSEK", 25_000_000, "SEK"],
  ["500 TEUR", 500_000, "EUR"],
  ["3 mia. kr.", 3_000_000_000, "kr"],
  ["٥٬٠٠٠٬٠٠٠", 5_000_000, undefined],
  ["٩٫٥ مليون", 9_500_000, undefined],
  ["۲۵ میلیون", 25_000_000, undefined],
  ["１，２００．５万円", 12_005_000, "JPY"],
  ["R$ 12.5 mi", 12_500_000, "BRL"],
  ["500 tys. zł", 500_000, "PLN"],
  ["12 mill. kr", 12_000_000, "kr"],
  ["500 tausend Euro", 500_000, "EUR"],
  ["12 milioni di euro", 12_000_000, "EUR"],
])("%s is %d", (text, amount, currency) => {
  expect(amountOf(text)).toEqual([amount, currency]);
});

test("a comma can separate the decimals", () => {
  expect(amountOf("1.234.567,89", ",")).toEqual([1_234_567.89, undefined]);
  expect(amountOf("$2,5M", ",")).toEqual([2_500_000, "$"]);
});

test.each([
  ["$2,5M", `'2,5' does not group its digits by thousands. If ',' separates the decimals, set "decimal": ","`],
  ["1,5", `If ',' separates the decimals`],
  ["0,500", `If ',' separates the decimals`],
  ["1,23,4", "'1,23,4' does not group its digits by thousands"],
  ["1,000,00", "does not group its digits by thousands"],
  ["1.234.567", `set "decimal": ","`],
  ["1,000 000", "does not group its digits by thousands"],
  ["", "it has no digits"],
  ["lots", "'lots' is not a valid amount: it has no digits"],
  ["five million", "has no digits"],
  ["$1-2m", "'$1-2m' is a range, expected one amount"],
  ["1 to 2 million", "is a range"],
  ["$5M - $10M", "is a range"],
  [
    "$50 million (debt)",
    `'(debt)' is neither a unit nor a currency. If it does not matter, take it out with "replace"`,
  ],
  ["5 parsecs", "'parsecs' is neither a unit nor a currency"],
  ["5 milliion", "Did you mean 'million'?"],
  ["€5 USD", "names two currencies"],
  ["12%", "'%' is neither a unit nor a currency"],
])("'%s' is refused with the reason", (text, reason) => {
  expect(amountOf(text)).toContain(reason);
});
