import type { Client } from "@elastic/elasticsearch";
import type { Queue } from "bullmq";
import { createMonthCountBackup } from "@tranche/shared/accounts/month-count-backup";
import type { RedisClient } from "@tranche/shared/redis/connect";
import type { IndexNames } from "@tranche/shared/search/index-names";
import { createDeadLetterBackup } from "@tranche/shared/queue/dead-letter-backup";
import type { DeadLetter } from "@tranche/shared/queue/queues";

/** Puts the dead letters and the counts of the month that Redis has lost back from their copies in Elasticsearch. */
export async function restoreBackups(
  { client, names, redis, namespace }: { client: Client; names: IndexNames; redis: RedisClient; namespace: string },
  deadLetters: Queue<DeadLetter>,
): Promise<void> {
  await createDeadLetterBackup(client, names).restore(deadLetters);
  await createMonthCountBackup(redis, namespace, { client, index: names.accounts }).restoreAll();
}
