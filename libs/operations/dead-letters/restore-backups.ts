import type { Client } from "@elastic/elasticsearch";
import type { Queue } from "bullmq";
import { createMonthCountBackup } from "@tranche/shared/accounts/month-count-backup";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { createDeadLetterBackup } from "@tranche/shared/protocol/queue/dead-letter-backup";
import { createFailedIngestBackup } from "@tranche/shared/protocol/queue/failed-ingest-backup";
import type { DeadLetter, IngestJob } from "@tranche/shared/protocol/queue/queues";

/**
 * Puts the dead letters and the counts of the month that Redis has lost back from their copies in Elasticsearch. Of an ingest job that
 * failed as a whole, each record becomes a dead letter. `report`: told of a job that could not be restored.
 */
export async function restoreBackups(
  { client, names, redis, namespace }: { client: Client; names: IndexNames; redis: RedisClient; namespace: string },
  queues: { deadLetters: Queue<DeadLetter>; ingest: Queue<IngestJob> },
  report: (error: Error) => void,
): Promise<void> {
  const letters = createDeadLetterBackup(client, names);
  // Kept as dead letters before the job is forgotten: a crash in between leaves both, and the next restore does it again.
  await createFailedIngestBackup(client, names).restore(queues.ingest, (lost) => letters.keep(lost), report);
  await letters.restore(queues.deadLetters);
  await createMonthCountBackup(redis, namespace, { client, index: names.accounts }).restoreAll();
}
