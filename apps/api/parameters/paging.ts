import { wholeNumber } from "./kinds/numbers.ts";
import { parameter } from "./parameter.ts";

export const DEFAULT_LIMIT = 10;

/** The parameters that select a page. Every list has them. */
export const PAGING = Object.freeze({
  limit: parameter({
    kind: wholeNumber(1),
    description:
      "Rows in a page. Above the cap of your plan the page is capped, and a warning says so; with `Prefer: handling=strict` the request is refused instead.",
    example: "10",
    fallback: String(DEFAULT_LIMIT),
    unfiltered: true,
  }),
  offset: parameter({
    kind: wholeNumber(0),
    description: "Rows to skip. Any page can be reached; past the end `data` is empty.",
    example: "0",
    fallback: "0",
    unfiltered: true,
  }),
});
