import type { FirstStage } from "../../engines/search/index-names.ts";
import { ticketKey } from "../ticket/ticket-clock.ts";

/** The read models that have a feed of changes. */
export type FeedModel = FirstStage;

/**
 * The Redis keys of the feed. All are in the slot of the ticket clock, so that a ticket and its note are issued in one step, and the
 * horizon is read in one.
 */
export const feedKeys = (namespace: string, model: FeedModel) => ({
  clock: ticketKey(namespace),
  /** Sorted set: the tickets that somebody may still write documents with. */
  held: `{${namespace}}:feed:held:${model}`,
  /** Hash: document id → the tickets that it may still be written with, the lowest first. */
  writers: `{${namespace}}:feed:writers:${model}`,
  /** Hash: ticket → how many of its documents may still be written with it, and when it was taken (ms). */
  counts: `{${namespace}}:feed:counts:${model}`,
  /** Hash: read model → the index that the feed searches. Not there while the feed is closed. */
  served: servedKey(namespace),
  /** Text: which history positions belong to. A restore of the data begins another one. */
  epoch: epochKey(namespace),
  /** Hash: read model → the highest ticket of the removals that are purged. */
  purged: purgedKey(namespace),
  /** Hash: read model → a number that is another one whenever readers may find something new. */
  moves: movesKey(namespace),
});

export const servedKey = (namespace: string) => `{${namespace}}:feed:served`;
export const movesKey = (namespace: string) => `{${namespace}}:feed:moves`;
export const epochKey = (namespace: string) => `{${namespace}}:feed:epoch`;
export const purgedKey = (namespace: string) => `{${namespace}}:feed:purged`;
/** Text: the version of the stored state that readers see. */
export const shownVersionKey = (namespace: string) => `{${namespace}}:feed:version`;
