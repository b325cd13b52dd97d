import { FUNDING_SORTS } from "../../../libs/read-models/parameters/funding.ts";
import { SIGNALS_SORTS } from "../../../libs/read-models/parameters/signals.ts";

const LISTS = {
  funding: {
    sorts: Object.keys(FUNDING_SORTS),
    filters: { none: "", filtered: "country=US,GB,IN&min_amount_usd=500000" },
  },
  signals: { sorts: Object.keys(SIGNALS_SORTS), filters: { none: "", filtered: "country=US,GB,IN,DE" } },
};

/** Each list in every order, with filters and without. */
export const LIST_CASES = Object.entries(LISTS).flatMap(([list, { sorts, filters }]) =>
  sorts.flatMap((sort) =>
    Object.entries(filters).map(([filter, query]) => ({
      list,
      sort,
      filter,
      path: `/api/v1/${list}?${query}${query === "" ? "" : "&"}sort=${sort}`,
    })),
  ),
);

/** Parts of a list at which pages are asked for: of 1,000,000 rows 10,000, 100,000 and 900,000. */
export const DEPTHS = [0.01, 0.1, 0.9];
