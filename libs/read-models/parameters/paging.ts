import type { RowPosition } from "../query/row-position.ts";
import { encodeCursor } from "../query/cursor.ts";
import { listDigest } from "../query/sealed.ts";
import { cursor } from "./kinds/cursor.ts";
import { wholeNumber } from "./kinds/numbers.ts";
import { parameter } from "./parameter.ts";

export const DEFAULT_LIMIT = 10;

/** The parameters that select a page. Every list has them. `example`: a list with its order, and a position in it. */
export function paging(example: { path: string; sort: string; position: RowPosition }) {
  const digest = listDigest(example.path, { sort: example.sort });
  return Object.freeze({
    limit: parameter({
      kind: wholeNumber(1),
      description:
        "Rows in a page. Above the cap of your plan the page is capped, and a warning says so; with `Prefer: handling=strict` the request is refused instead.",
      example: "10",
      fallback: String(DEFAULT_LIMIT),
      unfiltered: true,
      capped: true,
    }),
    offset: parameter({
      kind: wholeNumber(0),
      description: "Rows to skip. Any page can be reached; past the end `data` is empty.",
      example: "0",
      fallback: "0",
      unfiltered: true,
    }),
    cursor: parameter({
      kind: cursor(),
      description:
        "`next_cursor` of the page before, in place of `offset`: the page continues right after that page's last row. Rows that stay where they are are neither repeated nor skipped, whatever is written meanwhile. Send it with the same filters and `sort`; `limit` and format may change.",
      example: encodeCursor({ digest, position: example.position }),
      unfiltered: true,
    }),
  });
}
