import type { estypes } from "@elastic/elasticsearch";
import {
  type After,
  type GroupKey,
  type GroupsSearch,
  groupsQuery,
  keyOfBucket,
} from "@tranche/read-models/query/groups";
import type { Aggregated } from "../search/point-in-time.ts";
import type { Tally } from "./group.ts";

/** Searches the rows of a list. */
export type SearchRows = (request: estypes.SearchRequest) => Promise<Aggregated>;

/** A bucket of Elasticsearch with the figures of its rows. */
export type GroupBucket = { doc_count: number } & Readonly<Record<string, unknown>>;

/** A group as it was found. */
export type FoundGroup = Tally & { key: GroupKey; bucket: GroupBucket };

export type GroupsPage = {
  /** All rows. */
  overall: GroupBucket;
  groups: FoundGroup[];
  /** Where the next page begins; undefined for the last one. */
  after: After | undefined;
};

/** One page of groups. */
export async function groupsPage(search: SearchRows, parts: GroupsSearch): Promise<GroupsPage> {
  const { count, aggregations } = await search(groupsQuery(parts));
  const { buckets, after_key } = (aggregations.groups ?? NO_GROUPS) as unknown as Composite;
  return {
    overall: { doc_count: count, ...aggregations },
    groups: buckets.map((bucket) => ({ bucket, ...tallyOf(bucket), key: keyOfBucket(parts.by, bucket.key) })),
    // The last page has an `after_key`, too.
    after: buckets.length < parts.size ? undefined : after_key,
  };
}

type Composite = { buckets: (GroupBucket & { key: Record<string, string | number | null> })[]; after_key?: After };
const NO_GROUPS = { buckets: [] };

/** The tally in a bucket; zeros where `amounts` was not asked for. A sum of whole cents is a whole number, exact up to 2^53. */
export function tallyOf({ doc_count, amounts }: GroupBucket): Tally {
  const { count = 0, sum = 0 } = (amounts ?? {}) as { count?: number; sum?: number };
  return { count: doc_count, disclosed: count, cents: BigInt(sum) };
}

/** A key as the key of a map. Keys have no control characters, so that none looks like a missing value or like two keys. */
export const textOf = (key: GroupKey): string => key.map((value) => value ?? "\0").join("\n");
