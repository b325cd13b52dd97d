import type { Client } from "@elastic/elasticsearch";
import type { Queue } from "bullmq";
import { createKeptMonths } from "../accounts/kept-months.ts";
import type { RedisClient } from "../redis/connect.ts";
import type { IndexNames } from "../search/index-names.ts";
import { createKeptLetters } from "./kept-letters.ts";
import type { DeadLetter } from "./queues.ts";

/** Puts the dead letters and the counts of the month that Redis has lost back from their copies in Elasticsearch. */
export async function restoreKept(
  { client, names, redis, namespace }: { client: Client; names: IndexNames; redis: RedisClient; namespace: string },
  deadLetters: Queue<DeadLetter>,
): Promise<void> {
  await createKeptLetters(client, names).restore(deadLetters);
  await createKeptMonths(redis, namespace, { client, index: names.accounts }).restoreAll();
}
