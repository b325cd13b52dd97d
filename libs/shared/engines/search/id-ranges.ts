import type { estypes } from "@elastic/elasticsearch";
import { byCodePoint } from "../../domain/text/order.ts";

/** Ids greater than `after`, up to and including `last`, by code point. Null: no bound on that side. */
export type IdRange = { after: string | null; last: string | null };

export const ALL_IDS: IdRange = Object.freeze({ after: null, last: null });

export const isAll = ({ after, last }: IdRange): boolean => after === null && last === null;

/** The documents with an id in a range. */
export function inRange(field: string, range: IdRange): estypes.QueryDslQueryContainer {
  if (isAll(range)) return { exists: { field } };
  const { after, last } = range;
  return { range: { [field]: { ...(after === null ? {} : { gt: after }), ...(last === null ? {} : { lte: last }) } } };
}

/** The ids at which so many ranges end, so that each has about as many of the sampled ids. The last range has no end. */
export function boundsOf(sample: readonly string[], ranges: number): string[] {
  const sorted = sample.toSorted(byCodePoint);
  const bounds = Array.from({ length: ranges - 1 }, (_, n) => sorted[Math.floor(((n + 1) * sorted.length) / ranges)]);
  return [...new Set(bounds.filter((bound) => bound !== undefined))];
}

/** The ranges between bounds: together they have every id, each once. */
export function rangesOf(bounds: readonly string[]): IdRange[] {
  return [null, ...bounds].map((after, n) => ({ after, last: bounds[n] ?? null }));
}

/** The documents that a query finds, the highest scores drawn at random: the first hits are a sample. */
export const drawnAtRandom = (
  query: estypes.QueryDslQueryContainer,
  random: estypes.QueryDslRandomScoreFunction = {},
): estypes.QueryDslQueryContainer => ({
  // Not multiplied by the score of the query: that is 0 for conditions alone.
  function_score: { query, functions: [{ random_score: random }], boost_mode: "replace" },
});
