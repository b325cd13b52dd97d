import { readFileSync } from "node:fs";
import type { RedisClient } from "../../engines/redis/connect.ts";
import { type CeilingParts, raiseCeiling } from "./ticket-ceiling.ts";

const SCRIPT = readFileSync(new URL("./raise-clock.lua", import.meta.url), "utf8");

/**
 * Raises the ticket clock, first its ceiling and then Redis, so that all later numbers are above `floor`. For data that was written by
 * another clock, such as that of a backup. A clock that is ahead stays.
 */
export async function raiseTicketClock(
  parts: CeilingParts & { redis: RedisClient; redisKey: string },
  floor: number,
): Promise<void> {
  await raiseCeiling(parts, floor);
  await parts.redis.eval(SCRIPT, 1, parts.redisKey, String(floor));
}
