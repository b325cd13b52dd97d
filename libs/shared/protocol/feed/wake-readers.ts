import type { RedisClient } from "../../engines/redis/connect.ts";
import { FIRST_STAGE } from "../../engines/search/index-names.ts";
import { movesKey } from "./keys.ts";

/**
 * Lets all readers of the feed look once more. A Redis that went back counts moves again that readers have seen: those that come to the
 * same number would take it for nothing new. A ticket is no such number.
 */
export async function wakeReaders(parts: {
  redis: RedisClient;
  namespace: string;
  tickets: { take: () => Promise<number> };
}): Promise<void> {
  const ticket = await parts.tickets.take();
  await parts.redis.hset(movesKey(parts.namespace), Object.fromEntries(FIRST_STAGE.map((model) => [model, ticket])));
}
