import { readFileSync } from "node:fs";
import type { Client } from "@elastic/elasticsearch";
import type { RedisClient } from "../redis/connect.ts";
import { retryForever } from "../search/retry-forever.ts";
import { CEILING_ID } from "./ticket-clock.ts";

const SCRIPT = readFileSync(new URL("./raise-clock.lua", import.meta.url), "utf8");

type Parts = { client: Client; controlIndex: string };

/** The ceiling of the ticket clock: no ticket and no version from the clock is above it. 0 before the first ticket. */
export async function ticketCeiling({ client, controlIndex: index }: Parts): Promise<number> {
  const found = await retryForever(() => client.get<{ value: number }>({ index, id: CEILING_ID }, { ignore: [404] }));
  return found._source?.value ?? 0;
}

/**
 * Raises the ticket clock, first its ceiling and then Redis, so that all later numbers are above `floor`. For data that was written by
 * another clock, such as that of a backup. A clock that is ahead stays.
 */
export async function raiseTicketClock(
  parts: Parts & { redis: RedisClient; redisKey: string },
  floor: number,
): Promise<void> {
  const { client, controlIndex: index, redis, redisKey } = parts;
  for (;;) {
    const found = await retryForever(() => client.get<{ value: number }>({ index, id: CEILING_ID }, { ignore: [404] }));
    if (found._source && found._source.value >= floor) break;
    const guard = found.found
      ? { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! }
      : { op_type: "create" as const };
    const done = await retryForever(() =>
      client.index({ index, id: CEILING_ID, document: { value: floor }, ...guard }, { ignore: [409], meta: true }),
    );
    if (done.statusCode !== 409) break;
  }
  await redis.eval(SCRIPT, 1, redisKey, String(floor));
}
