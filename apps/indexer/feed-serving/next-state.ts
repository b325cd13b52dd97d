import type { FeedControl, FeedIndices } from "@tranche/shared/protocol/feed/control";

/** The roles of the indices. */
export type Served = {
  live: FeedIndices;
  previous: FeedIndices | undefined;
  /** The indices that the last rebuild has filled, and a ticket from before its copy. */
  rebuild: { indices: FeedIndices; since: number } | undefined;
};

/**
 * The state of the feed that follows from the roles; undefined when it stays. Where readers searched other indices before, the
 * differences become due. If these are not kept or not known, positions end: a new epoch. A rollback before they are published makes the
 * same differences due again. Rules 6, 8 and 9 of docs/decisions/0040-a-feed-that-misses-nothing.md.
 */
export function nextState(
  last: FeedControl | undefined,
  { live, previous, rebuild }: Served,
  fresh: { version: number; epoch: string },
): FeedControl | undefined {
  const kept = last ?? { kind: "feed", copied: null, purged: { funding: 0, companies: 0 } };
  if (last && areSame(last.served, live)) return undefined;
  const copied = rebuild && areSame(rebuild.indices, live) ? rebuild : kept.copied;
  const other = last?.served;
  const known =
    other &&
    previous &&
    areSame(other, previous) &&
    copied &&
    [live, other].some((each) => areSame(each, copied.indices));
  const isOtherDue = last?.due && !areSame(last.due.other, live);
  if (!last || !known || isOtherDue) return { ...kept, kind: "feed", ...fresh, served: live, copied, due: null };
  const due = { other, since: copied.since, until: null };
  return { ...last, version: fresh.version, served: live, copied, due };
}

const areSame = (one: FeedIndices, other: FeedIndices): boolean =>
  one.funding === other.funding && one.companies === other.companies;
