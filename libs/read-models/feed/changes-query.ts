import type { estypes } from "@elastic/elasticsearch";
import type { ChangeTickets } from "../documents/change-tickets.ts";
import { clauses, type Filter } from "../query/filters.ts";
import type { FeedPosition } from "./position.ts";

/** The names of the conditions that a document of a page meets: it is on the list, or its removal is due. */
export const UPSERT = "upsert";
export const REMOVE = "remove";

const field = (name: keyof ChangeTickets) => name;

/**
 * What was sent to a reader after its position without being acknowledged: it may know what stood between these two horizons. Tickets in µs.
 */
export type Unacknowledged = { first: number; last: number };

/** A list of which changes are read. `source`: the fields that rows are made of. */
export type FollowedList = { filters: readonly Filter[]; idField: string; source: readonly string[] };

const bool = (query: estypes.QueryDslBoolQuery) => ({ bool: query });
const either = (...should: estypes.QueryDslQueryContainer[]) => bool({ should, minimum_should_match: 1 });

/**
 * The search for the first changes of a list after a position, up to a horizon, in their order: documents that match the filters, and
 * those whose removal is due. That is what existed at the position and is gone since, or what has moved since and does not match.
 * `matched_queries` of a hit says which; a document that matches is no removal. docs/decisions/0040-a-feed-that-misses-nothing.md
 */
export function changesQuery(
  { filters, idField, source }: FollowedList,
  after: Pick<FeedPosition, "changed" | "id">,
  { horizon, size, unacknowledged = null }: { horizon: number; size: number; unacknowledged?: Unacknowledged | null },
): estypes.SearchRequest {
  const { changed, id } = after;
  return {
    query: bool({
      filter: [
        { range: { [field("changed")]: { gte: changed, lte: horizon } } },
        isChange({ filters, idField }, after, unacknowledged),
      ],
    }),
    sort: [{ [field("changed")]: "asc" }, { [idField]: "asc" }],
    search_after: [changed, id],
    size,
    track_total_hits: false,
    _source: [...source],
  };
}

/**
 * The condition that a document that has changed after a position is one for a list: it is on it, or its removal is due. A removal is due as
 * well for what may have been sent without being acknowledged, and has moved since.
 */
export function isChange(
  { filters, idField }: Pick<FollowedList, "filters" | "idField">,
  { changed, id }: Pick<FeedPosition, "changed" | "id">,
  unacknowledged: Unacknowledged | null = null,
): estypes.QueryDslQueryContainer {
  const removals: estypes.QueryDslQueryContainer[] = [];
  // Who knows nothing yet need not hear what is gone.
  if (changed > 0) removals.push(removedSince(idField, { changed, id }));
  if (unacknowledged) removals.push(removedAfter(unacknowledged));
  const listed = bool({ filter: clauses(filters), _name: UPSERT });
  return removals.length === 0 ? listed : either(listed, bool({ filter: [either(...removals)], _name: REMOVE }));
}

function removedSince(
  idField: string,
  { changed, id }: Pick<FeedPosition, "changed" | "id">,
): estypes.QueryDslQueryContainer {
  const moved = either(
    { range: { [field("moved")]: { gt: changed } } },
    bool({ filter: [{ term: { [field("moved")]: changed } }, { range: { [idField]: { gt: id } } }] }),
  );
  const existed = { range: { [field("created")]: { lte: changed } } };
  return bool({ filter: [existed, either({ term: { gone: true } }, moved)] });
}

function removedAfter({ first, last }: Unacknowledged): estypes.QueryDslQueryContainer {
  return bool({
    filter: [{ range: { [field("created")]: { lte: last } } }, { range: { [field("moved")]: { gt: first } } }],
  });
}
