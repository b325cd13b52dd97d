import type { CompanyDocument } from "../documents/companies.ts";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import type { Order } from "../query/list-query.ts";
import { companyFilters, FORMAT, order } from "./company-lists.ts";
import { paging } from "./paging.ts";

/** The orders of the signals list. The first is the default. */
export const SIGNALS_SORTS = Object.freeze({
  signal_score_desc: { field: "signal_score", direction: "desc", by: "points" },
  signal_score_asc: { field: "signal_score", direction: "asc", by: "points", against: true },
  latest_funding_desc: { field: "latest_announced_date", direction: "desc", by: "days" },
  latest_funding_asc: { field: "latest_announced_date", direction: "asc", by: "days" },
  amount_desc: { field: "latest_amount_usd", direction: "desc", by: "amounts" },
  amount_asc: { field: "latest_amount_usd", direction: "asc", by: "amounts" },
  headcount_desc: { field: "headcount", direction: "desc", by: "amounts" },
  name_asc: { field: "name_key", direction: "asc", by: "names", against: true },
  name_desc: { field: "name_key", direction: "desc", by: "names", against: true },
} satisfies Record<string, Order<CompanyDocument>>);

const SORT_NAMES = Object.keys(SIGNALS_SORTS) as [keyof typeof SIGNALS_SORTS];

/** Every parameter of the signals list, in the order of the documentation. */
export function signalsParameters(dealTypes: DealTypes) {
  return Object.freeze({
    ...companyFilters(dealTypes),
    format: FORMAT,
    sort: order("SignalsSort", SORT_NAMES, "latest_funding_desc"),
    ...paging({
      path: "/api/v1/signals",
      sort: SORT_NAMES[0],
      position: { value: 50, id: "co-facebook" },
    }),
  });
}
