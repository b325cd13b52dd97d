/**
 * A position in the feed of changes of a read model: everything up to (`changed`, `id`) was read. A walk goes from one horizon to the next,
 * in pages; `asof` is where it began. `known`: the reader may know what was created up to this ticket, although its changes come later.
 * Tickets in µs.
 */
export type FeedPosition = { epoch: string; asof: number; known: number; changed: number; id: string };

/** Sorts after every id. */
export const AFTER_ALL_IDS = "\u{10ffff}";

/** The position of a reader at the start, at a horizon. */
export const atStart = (epoch: string, horizon: number): FeedPosition => ({
  epoch,
  asof: horizon,
  known: 0,
  changed: 0,
  id: "",
});

/** The position of a reader who knows everything up to a horizon, and perhaps documents created up to `known`. */
export const atHorizon = (epoch: string, horizon: number, known: number = horizon): FeedPosition => ({
  epoch,
  asof: horizon,
  known,
  changed: horizon,
  id: AFTER_ALL_IDS,
});

/** Redis may have lost its last tickets without having been noticed yet. In µs. */
const LOST_TICKETS = 60e6;

/**
 * The position of a reader whose copy was made at a moment between two states of the feed, such as by an export. It may have what is above
 * the horizon. `clock`: the last ticket given.
 */
export const afterCopy = (before: { epoch: string; horizon: number }, after: { clock: number }): FeedPosition =>
  atHorizon(before.epoch, before.horizon, after.clock + LOST_TICKETS);

/** The same position of a reader who may also know documents created up to a horizon. */
export const knowing = (position: FeedPosition, horizon: number): FeedPosition => ({
  ...position,
  known: Math.max(position.known, horizon),
});

/** Whether all removals since a position are still stored. `purged`: removals up to this ticket may be missing. */
export const isCurrent = ({ epoch, asof }: FeedPosition, state: { epoch: string; purged: number }): boolean =>
  epoch === state.epoch && asof >= state.purged;
