/**
 * A position in the feed of changes of a read model: everything up to (`changed`, `id`) was read. `asof`: everything that was removed up
 * to this ticket is known to the reader, or will be by the end of the walk. Tickets in µs.
 */
export type FeedPosition = { epoch: string; asof: number; changed: number; id: string };

/** Sorts after every id. */
export const AFTER_ALL_IDS = "\u{10ffff}";

/** The position of a reader who knows nothing yet, at a horizon. */
export const atStart = (epoch: string, horizon: number): FeedPosition => ({ epoch, asof: horizon, changed: 0, id: "" });

/** The position of a reader who knows everything up to a horizon. */
export const atHorizon = (epoch: string, horizon: number): FeedPosition => ({
  epoch,
  asof: horizon,
  changed: horizon,
  id: AFTER_ALL_IDS,
});

/** Whether everything that was removed since a position is still told. `purged`: removals up to this ticket may be missing. */
export const isCurrent = ({ epoch, asof }: FeedPosition, state: { epoch: string; purged: number }): boolean =>
  epoch === state.epoch && asof >= state.purged;
