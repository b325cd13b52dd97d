import { readFileSync } from "node:fs";
import type { RedisClient } from "../../engines/redis/connect.ts";
import { type FeedModel, feedKeys } from "./keys.ts";

const SCRIPT = readFileSync(new URL("./read-state.lua", import.meta.url), "utf8");

/** The state of the feed of a read model. `horizon`, `clock`, `purged`: tickets, in µs. */
export type FeedState = {
  /** Positions of another epoch are void. */
  epoch: string;
  /** The index to search, by name: the horizon holds for no other. */
  index: string;
  /** A low watermark: no document will appear with `changed` at or below it. */
  horizon: number;
  /** The last ticket given: nothing that is visible has a later one. */
  clock: number;
  /** Removals up to here may be missing. */
  purged: number;
  /** Another number whenever readers may find something new. The horizon moves without, too. */
  moves: number;
};

/** Whether readers who know everything up to a state may find something new in a later one. */
export const hasMoved = (before: FeedState, now: FeedState): boolean =>
  now.moves !== before.moves || now.epoch !== before.epoch || now.index !== before.index;

/** Reads the state of the feed. Undefined while it is closed: Redis was emptied, or nothing was served yet. */
export async function readFeedState(
  redis: RedisClient,
  namespace: string,
  model: FeedModel,
): Promise<FeedState | undefined> {
  const keys = feedKeys(namespace, model);
  const { held, served, purged, moves } = keys;
  const found = (await redis.eval(SCRIPT, 6, keys.clock, held, served, keys.epoch, purged, moves, model)) as
    | [epoch: string, index: string, ...tickets: string[]]
    | null;
  if (!found) return undefined;
  const [epoch, index, ...tickets] = found;
  const [horizon, clock, gone, moved] = tickets.map(Number) as [number, number, number, number];
  return { epoch, index, horizon, clock, purged: gone, moves: moved };
}
