import type { estypes } from "@elastic/elasticsearch";
import { type ChangeTickets, movedField } from "../documents/change-tickets.ts";
import { type FieldGroup, groupOf, keptField } from "../documents/field-groups.ts";
import { clauses, type Filter } from "../query/filters.ts";
import type { FeedPosition } from "./position.ts";

/**
 * The names of the conditions that a document meets: it is on the list, its removal is due, or its removal is hidden above the horizon. A
 * hidden removal is not sent yet, and it keeps the walk open.
 */
export const UPSERT = "upsert";
const REMOVE = "remove";
export const HIDDEN = "hidden";

const range = (field: keyof ChangeTickets, bounds: estypes.QueryDslNumberRangeQuery) => ({
  range: { [field]: bounds },
});

/** A list whose changes are read. `source`: the fields that rows are made of. */
export type FollowedList = { filters: readonly Filter[]; idField: string; source: readonly string[] };

const bool = (query: estypes.QueryDslBoolQuery) => ({ bool: query });
const either = (...should: estypes.QueryDslQueryContainer[]) => bool({ should, minimum_should_match: 1 });

/**
 * The search for the first changes of a list after a position, up to a horizon, in their order: documents that match the filters, and
 * those whose removal is due. These are documents that the reader may know and that are not on the list, where every group of fields that keeps
 * them off has moved since the walk began. `matched_queries` of a hit says which. Hidden removals come last. docs/decisions/0040-a-feed-that-misses-nothing.md
 */
export function changesQuery(
  list: FollowedList,
  after: FeedPosition,
  { horizon, size }: { horizon: number; size: number },
): estypes.SearchRequest {
  const { changed, id } = after;
  return {
    query: bool({
      filter: [range("changed", { gte: changed }), isChange(list, after, horizon)],
    }),
    sort: [{ changed: "asc" }, { [list.idField]: "asc" }],
    search_after: [changed, id],
    size,
    track_total_hits: false,
    _source: [...list.source],
  };
}

/**
 * The condition that a document that has changed after a position is a change of a list up to a horizon, or hides one: it left the list
 * below the horizon and has changed above it since.
 *
 * A group of fields that has not moved since the walk began is as it was then: if one of its conditions fails now, the document was not on
 * the list, and no removal is due. A document that is gone is looked at as it was when it went.
 */
export function isChange(
  { filters }: Pick<FollowedList, "filters">,
  after: Omit<FeedPosition, "epoch" | "id">,
  horizon: number,
): estypes.QueryDslQueryContainer {
  const known = Math.max(after.changed, after.known);
  const changes = [bool({ filter: clauses(filters), _name: UPSERT })];
  // A reader at the start needs no removals.
  if (known > 0) {
    const failed = groupsThatFail(filters, after.asof);
    changes.push(bool({ filter: [range("created", { lte: known }), failed], _name: REMOVE }));
  }
  const due = bool({ filter: [range("changed", { lte: horizon }), either(...changes)] });
  if (after.asof >= horizon) return due;
  return either(due, hidden(filters, { gt: after.asof, lte: horizon }));
}

/**
 * The condition that every group of fields whose conditions fail has moved in a walk, and one of them up to its horizon, of a document that
 * has changed above it: the walk does not send its removal, and the next one would not either.
 */
function hidden(filters: readonly Filter[], walk: { gt: number; lte: number }): estypes.QueryDslQueryContainer {
  const below = (group: Group) =>
    bool({ filter: [since(group, walk)], must_not: [bool({ filter: group.conditions })] });
  return bool({
    filter: [range("changed", { gt: walk.lte }), groupsThatFail(filters, walk.gt, below)],
    _name: HIDDEN,
  });
}

/** The conditions of a list on the fields of a group. */
type Group = { moved: readonly (keyof ChangeTickets)[]; conditions: estypes.QueryDslQueryContainer[] };

/**
 * The condition that every group of fields whose conditions fail has moved since a ticket, and that at least one group meets `one`. A
 * document that is gone is looked at as it was when it went.
 */
function groupsThatFail(
  filters: readonly Filter[],
  asof: number,
  one?: (group: Group) => estypes.QueryDslQueryContainer,
): estypes.QueryDslQueryContainer {
  const gone = { term: { gone: true } };
  const of = (read: (filter: Filter) => Filter) => {
    const groups = conditionGroups(filters, read);
    const each = groups.map((group) => either(bool({ filter: group.conditions }), since(group, { gt: asof })));
    return one ? [...each, either(...groups.map(one))] : each;
  };
  return either(bool({ filter: of((filter) => filter), must_not: [gone] }), bool({ filter: [gone, ...of(asKept)] }));
}

/** The conditions of filters, as `read` makes them, by the groups of their fields. A condition on fields of several groups stands for itself. */
function conditionGroups(filters: readonly Filter[], read: (filter: Filter) => Filter): Group[] {
  const byGroups = Map.groupBy(filters, (filter) => [...new Set(fieldsIn(filter).map(groupOf))].sort().join());
  return [...byGroups].map(([groups, of]) => ({
    moved: (groups.split(",") as FieldGroup[]).map(movedField),
    conditions: clauses(of.map(read)),
  }));
}

/** The condition that a group moved within bounds. One without a ticket has not moved since its document was created. */
const since = ({ moved }: Group, bounds: estypes.QueryDslNumberRangeQuery): estypes.QueryDslQueryContainer =>
  either(
    ...moved.flatMap((field) => [
      range(field, bounds),
      bool({ filter: [range("created", bounds)], must_not: [{ exists: { field } }] }),
    ]),
  );

const fieldsIn = (filter: Filter): string[] => ("either" in filter ? filter.either.flatMap(fieldsIn) : [filter.field]);

/** A condition on what a document was when it went. */
const asKept = (filter: Filter): Filter =>
  "either" in filter ? { either: filter.either.map(asKept) } : { ...filter, field: keptField(filter.field) };
