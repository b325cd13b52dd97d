import type { Client } from "@elastic/elasticsearch";
import type { Queue } from "bullmq";
import { createKeptMonths } from "@tranche/shared/accounts/kept-months";
import type { RedisClient } from "@tranche/shared/redis/connect";
import type { IndexNames } from "@tranche/shared/search/index-names";
import { createKeptLetters } from "@tranche/shared/queue/kept-letters";
import type { DeadLetter } from "@tranche/shared/queue/queues";

/** Puts the dead letters and the counts of the month that Redis has lost back from their copies in Elasticsearch. */
export async function restoreKept(
  { client, names, redis, namespace }: { client: Client; names: IndexNames; redis: RedisClient; namespace: string },
  deadLetters: Queue<DeadLetter>,
): Promise<void> {
  await createKeptLetters(client, names).restore(deadLetters);
  await createKeptMonths(redis, namespace, { client, index: names.accounts }).restoreAll();
}
