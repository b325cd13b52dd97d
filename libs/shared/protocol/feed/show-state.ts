import { readFileSync } from "node:fs";
import type { RedisClient } from "../../engines/redis/connect.ts";
import { FIRST_STAGE } from "../../engines/search/index-names.ts";
import type { FeedControl } from "./control.ts";
import { epochKey, movesKey, purgedKey, servedKey, shownVersionKey } from "./keys.ts";

const SCRIPT = readFileSync(new URL("./show-state.lua", import.meta.url), "utf8");

/** Lets readers see a state of the feed, unless they see a later one. Returns the version that they see now. */
export async function showFeedState(redis: RedisClient, namespace: string, control: FeedControl): Promise<number> {
  const { version, epoch, served, purged } = control;
  const keys = [
    servedKey(namespace),
    epochKey(namespace),
    purgedKey(namespace),
    shownVersionKey(namespace),
    movesKey(namespace),
  ];
  const models = FIRST_STAGE.flatMap((model) => [model, served[model], purged[model]]);
  return Number(await redis.eval(SCRIPT, keys.length, ...keys, version, epoch, ...models));
}
