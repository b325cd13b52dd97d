import { z } from "zod";
import { shortened } from "../query-string.ts";
import { type Kind, scalar } from "./kind.ts";

/** The largest whole number of 15 digits. */
const MAX_WHOLE_NUMBER = 999_999_999_999_999;

/** A whole number of at most 15 digits, from `least` to `most`. */
export function wholeNumber(least: 0 | 1, most = MAX_WHOLE_NUMBER): Kind<number> {
  const range = most === MAX_WHOLE_NUMBER ? `of at least ${least}` : `from ${least} to ${most}`;
  const expected = `a whole number ${range}, in digits only`;
  return scalar({
    schema: z.int().min(least).max(most),
    read(text) {
      if (!/^\d{1,15}$/.test(text)) return { code: "malformed_value", expected, value: shortened(text) };
      if (Number(text) < least || Number(text) > most) return { code: "out_of_range", expected, value: Number(text) };
      return { value: Number(text) };
    },
  });
}

/** A number of records. Elasticsearch refuses a larger bound of a field of 32 bits. */
export const count = (): Kind<number> => wholeNumber(0, 2_147_483_647);

/** A year of at most four digits. */
export const year = (): Kind<number> => wholeNumber(0, 9999);

/** The largest amount that a double can distinguish from the next power of ten. Records have smaller amounts. */
const MAX_AMOUNT = 999_999_999_999_999.9;

/** US dollars: digits, at most two decimals, no sign, no exponent, no separators. */
export function amount(): Kind<number> {
  return scalar({
    schema: z.number().min(0).max(MAX_AMOUNT),
    read: (text) =>
      /^(0|[1-9]\d{0,14})(\.\d{1,2})?$/.test(text)
        ? { value: Math.min(Number(text), MAX_AMOUNT) }
        : {
            code: "malformed_value",
            expected: "US dollars in plain digits with at most two decimals, such as 2500000",
            value: shortened(text),
          },
  });
}

/** A signal score: 0 to 100, decimals allowed. */
export function score(): Kind<number> {
  const expected = "a number from 0 to 100";
  return scalar({
    schema: z.number().min(0).max(100),
    read(text) {
      if (!/^(0|[1-9]\d{0,14})(\.\d{1,6})?$/.test(text))
        return { code: "malformed_value", expected, value: shortened(text) };
      if (Number(text) > 100) return { code: "out_of_range", expected, value: Number(text) };
      return { value: Number(text) };
    },
  });
}
