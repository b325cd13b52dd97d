import { readFileSync } from "node:fs";
import type { RedisClient } from "../redis/connect.ts";
import { type FeedModel, feedKeys } from "./keys.ts";

const SCRIPT = readFileSync(new URL("./read-state.lua", import.meta.url), "utf8");

/** Where the feed of a read model stands. `horizon`, `purged`: tickets, in µs. */
export type FeedState = {
  /** Positions of another epoch are void. */
  epoch: string;
  /** The index to search, by name: the horizon holds for no other. */
  index: string;
  /** No document will appear with `changed` at or below it. */
  horizon: number;
  /** Removals up to here may be missing. */
  purged: number;
  /** Another number whenever readers may find something new. The horizon moves without, too. */
  moves: number;
};

/** Whether readers who know everything up to a state may find something new in a later one. */
export const hasMoved = (before: FeedState, now: FeedState): boolean =>
  now.moves !== before.moves || now.epoch !== before.epoch || now.index !== before.index;

/** Reads where the feed stands. Undefined while it is closed: Redis was emptied, or the live index has no tickets of changes yet. */
export async function readFeedState(
  redis: RedisClient,
  namespace: string,
  model: FeedModel,
): Promise<FeedState | undefined> {
  const { clock, held, served, epoch, purged, moves } = feedKeys(namespace, model);
  const found = (await redis.eval(SCRIPT, 6, clock, held, served, epoch, purged, moves, model)) as string[] | null;
  if (!found) return undefined;
  const [first, index, horizon, gone, moved] = found as [string, string, string, string, string];
  return { epoch: first, index, horizon: Number(horizon), purged: Number(gone), moves: Number(moved) };
}
