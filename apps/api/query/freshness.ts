import type { estypes } from "@elastic/elasticsearch";
import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import type { FundingDocument } from "@tranche/read-models/documents/funding";
import type { Filter } from "@tranche/read-models/query/filters";
import { allRows } from "@tranche/read-models/query/list-query";

/** How many rows a list has. */
export const rowCount = (base: readonly Filter[]): estypes.SearchRequest => ({
  query: allRows(base),
  size: 0,
  track_total_hits: true,
});

/** The latest day on which a round of the list was announced, as the sort value of the only hit. */
export const newestRound = (base: readonly Filter[]): estypes.SearchRequest =>
  greatest<FundingDocument>("announced_date", allRows(base));

/** When a document of a read model last changed, gone ones too: a ticket, as the sort value of the only hit. */
export const newestChange = (): estypes.SearchRequest =>
  greatest<ChangeTickets>("changed", { exists: { field: "changed" } });

const greatest = <Document>(
  field: keyof Document & string,
  query: estypes.QueryDslQueryContainer,
): estypes.SearchRequest => ({
  query,
  sort: [{ [field]: "desc" }],
  size: 1,
  track_total_hits: false,
  _source: [field],
});
