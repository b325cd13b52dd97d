/**
 * Numbers of the ticket clock that a Redis had given which no longer knows of them: those above `above`, up to `last`. Notes of writers
 * with such numbers are lost, so readers of the feed may have passed changes under them. `at`: when it was noticed.
 */
export type LostNumbers = { above: number; last: number; at: string };

/** Within this time the requests of a dead writer have arrived in Elasticsearch. */
export const SETTLE_MS = 15_000;
/** No request takes that long. */
export const OVER_AFTER_MS = 900_000;
/** A search for what changed under them has nine conditions for each, and Elasticsearch takes at least 1,024. */
const MOST = 100;

/** Whether dead writers whose notes are lost may still write. */
export const isSettling = (lost: readonly LostNumbers[], now: number): boolean =>
  lost.some(({ at }) => now - Date.parse(at) < SETTLE_MS);

/** Whether nothing can appear any more that was written under these numbers. */
export const isOver = ({ at }: LostNumbers, now: number): boolean => now - Date.parse(at) > OVER_AFTER_MS;

/** Those that are not among others. `at` tells them apart, also when older ones were joined to them. */
export const notAmong = (lost: readonly LostNumbers[], others: readonly LostNumbers[]): LostNumbers[] =>
  lost.filter(({ at }) => !others.some((other) => other.at === at));

/** The lost numbers with more. Of too many, the oldest count as one, with the numbers between them. */
export function withLost(lost: readonly LostNumbers[], more: LostNumbers): LostNumbers[] {
  const all = [...lost, more];
  const [first, second, ...rest] = all;
  return all.length <= MOST ? all : [{ ...second!, above: first!.above }, ...rest];
}
