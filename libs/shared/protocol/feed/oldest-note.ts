import type { RedisClient } from "../../engines/redis/connect.ts";
import { FIRST_STAGE } from "../../engines/search/index-names.ts";
import { feedKeys } from "./keys.ts";

/** For how many seconds the oldest note with documents has held the horizon of the feed; null when there is none. `now`: ms. */
export async function oldestNoteSeconds(redis: RedisClient, namespace: string, now: number): Promise<number | null> {
  const counts = await Promise.all(FIRST_STAGE.map((model) => redis.hvals(feedKeys(namespace, model).counts)));
  // A value is how many documents are left, and when the note was taken, in ms.
  const taken = counts
    .flat()
    .map((count) => count.split(" ").map(Number))
    .filter(([left]) => left! > 0)
    .map(([, since]) => since!);
  return taken.length === 0 ? null : Math.max(0, (now - Math.min(...taken)) / 1000);
}
