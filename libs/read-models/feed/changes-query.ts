import type { estypes } from "@elastic/elasticsearch";
import type { ChangeTickets } from "../documents/change-tickets.ts";
import { clauses, type Filter } from "../query/filters.ts";
import type { FeedPosition } from "./position.ts";

/**
 * The names of the conditions that a document meets: it is on the list, its removal is due, or its removal is hidden above the horizon. A
 * hidden removal is not sent yet, and it keeps the walk open.
 */
export const UPSERT = "upsert";
const REMOVE = "remove";
export const HIDDEN = "hidden";

const field = (name: keyof ChangeTickets) => name;

/** A list of which changes are read. `source`: the fields that rows are made of. */
export type FollowedList = { filters: readonly Filter[]; idField: string; source: readonly string[] };

const bool = (query: estypes.QueryDslBoolQuery) => ({ bool: query });
const either = (...should: estypes.QueryDslQueryContainer[]) => bool({ should, minimum_should_match: 1 });

/**
 * The search for the first changes of a list after a position, up to a horizon, in their order: documents that match the filters, and
 * those whose removal is due. That is what the reader may know, and what is gone since or has moved since the walk began and does not
 * match. `matched_queries` of a hit says which. Hidden removals come last. docs/decisions/0040-a-feed-that-misses-nothing.md
 */
export function changesQuery(
  list: FollowedList,
  after: FeedPosition,
  { horizon, size }: { horizon: number; size: number },
): estypes.SearchRequest {
  const { changed, id } = after;
  return {
    query: bool({
      filter: [{ range: { [field("changed")]: { gte: changed } } }, isChange(list, after, horizon)],
    }),
    sort: [{ [field("changed")]: "asc" }, { [list.idField]: "asc" }],
    search_after: [changed, id],
    size,
    track_total_hits: false,
    _source: [...list.source],
  };
}

/**
 * The condition that a document that has changed after a position is a change of a list up to a horizon, or hides one: it left the list
 * below the horizon and has changed above it since.
 */
export function isChange(
  { filters }: Pick<FollowedList, "filters">,
  after: Omit<FeedPosition, "epoch" | "id">,
  horizon: number,
): estypes.QueryDslQueryContainer {
  const known = Math.max(after.changed, after.known);
  const listed = clauses(filters);
  const upTo = (name: keyof ChangeTickets, ticket: number) => ({ range: { [field(name)]: { lte: ticket } } });
  const moved = { range: { [field("moved")]: { gt: after.asof } } };
  const changes = [bool({ filter: listed, _name: UPSERT })];
  // A reader at the start needs no removals.
  if (known > 0)
    changes.push(bool({ filter: [upTo("created", known), either({ term: { gone: true } }, moved)], _name: REMOVE }));
  const due = bool({ filter: [upTo("changed", horizon), either(...changes)] });
  if (after.asof >= horizon) return due;
  const above = { range: { [field("changed")]: { gt: horizon } } };
  return either(
    due,
    bool({ filter: [above, moved, upTo("moved", horizon)], must_not: [bool({ filter: listed })], _name: HIDDEN }),
  );
}
