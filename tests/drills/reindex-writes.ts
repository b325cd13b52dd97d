import { setTimeout as pause } from "node:timers/promises";
import type { FundingDocument } from "@tranche/read-models/documents/funding";
import { createQueueConnection } from "@tranche/shared/queue/connection";
import { type IngestJob, JOB_OPTIONS, queuePrefix, QUEUES } from "@tranche/shared/queue/queues";
import type { Rebuild } from "@tranche/shared/rebuild/state";
import type { RecordWrite } from "@tranche/shared/records/record";
import { QueueEvents } from "bullmq";
import { deletion } from "../support/writes.ts";
import { type Drill, seconds } from "./drill.ts";
import { type Installation, judge, until, withInstallation } from "./installation.ts";
import { among, firstRecords, randomRound } from "./workload.ts";

const READS_A_SECOND = 50;
const BATCH = 20;

/** What is known of a round: the newest version that was sent, and the newest whose job is done; negative when it deletes. */
type Known = { sent: number; done: number };

export const reindexWrites: Drill = {
  name: "reindex-writes",
  about: "a rebuild while records are written and deleted and readers look",
  run: (context) =>
    withInstallation(context, {}, async (installation) => {
      const { random, say, size } = context;
      const { records, writesASecond } =
        size === "full" ? { records: 320_000, writesASecond: 200 } : { records: 6000, writesASecond: 60 };
      const { queues, service } = installation;
      const writes = firstRecords(random, records);
      await queues.send(writes);
      await queues.settled(900_000);
      const rounds = writes.flatMap((write) => (write.type === "round" ? [write.id] : []));
      const known = new Map<string, Known>(rounds.map((id) => [id, { sent: 1, done: 1 }]));
      const running = { yes: true };
      say(`${rounds.length} rounds are there; writers and readers begin`);
      const written: RecordWrite[] = [];
      const writing = keepWriting();
      const reading = keepReading(installation, known, running, () => random.pick(rounds));
      await pause(500);
      const begun = Date.now();
      const result = await service.ops(["reindex", "--wait", "--json"]);
      const rebuild = JSON.parse(result.stdout) as Rebuild;
      say(`the rebuild is ${rebuild.state}`);
      const rebuildSeconds = seconds(Date.now() - begun);
      running.yes = false;
      const [reads] = await Promise.all([reading, writing]);
      const { checks, figures } = await judge(context, installation, [...writes, ...written], { withinMs: 600_000 });
      for (const wrong of reads.wrong.slice(0, 5)) say(wrong);
      return {
        checks: {
          ...checks,
          rebuilt: rebuild.state === "swapped",
          "no failed read": reads.failed === 0,
          "no empty or older answer": reads.wrong.length === 0,
        },
        figures: {
          rebuild_seconds: rebuildSeconds,
          reads: reads.count,
          failed_reads: reads.failed,
          wrong_reads: reads.wrong.length,
          written: written.length,
          ...figures,
        },
      };

      async function keepWriting(): Promise<void> {
        const connection = createQueueConnection(context.engines.redis.url, "drill");
        const events = new QueueEvents(QUEUES.ingest, { connection, prefix: queuePrefix(service.namespace) });
        await events.waitUntilReady();
        const under = new Map<string, { version: number; batch: RecordWrite[] }>();
        events.on("completed", ({ jobId }) => {
          const { version, batch } = under.get(jobId)!;
          under.delete(jobId);
          for (const each of batch) {
            const now = known.get(each.id)!;
            if (Math.abs(now.done) < version) now.done = each.body ? version : -version;
          }
        });
        for (let version = 2; running.yes; version++) {
          const ids = new Set(Array.from({ length: BATCH }, () => random.pick(rounds)));
          const batch = [...ids].map((id) =>
            random.chance(0.15) ? deletion(version, "round", id) : randomRound(random, version, id, among(records)),
          );
          for (const each of batch) known.get(each.id)!.sent = each.body ? version : -version;
          written.push(...batch);
          const jobId = `written-${version}`;
          under.set(jobId, { version, batch });
          await queues.queue<IngestJob>(QUEUES.ingest).add("records", { records: batch }, { ...JOB_OPTIONS, jobId });
          await pause((1000 * BATCH) / writesASecond);
        }
        await until("the last writes are done", 300_000, async () => under.size === 0);
        await events.close();
        connection.disconnect();
      }
    }),
};

type Reads = { count: number; failed: number; wrong: string[] };

/** Reads one round after another as readers do, and holds the answer against what was done before the question. */
async function keepReading(
  { client, names }: Installation,
  known: Map<string, Known>,
  running: { yes: boolean },
  next: () => string,
): Promise<Reads> {
  const reads: Reads = { count: 0, failed: 0, wrong: [] };
  const under = new Set<Promise<void>>();
  const read = async (id: string) => {
    const { done } = known.get(id)!;
    reads.count++;
    try {
      const answer = await client.search<FundingDocument>({
        index: names.role("funding", "live"),
        query: { bool: { filter: { term: { id } }, must_not: { term: { gone: true } } } },
      });
      const shown = answer.hits.hits[0]?._source?.amount_usd ?? undefined;
      const { sent } = known.get(id)!;
      // A later version may be under way, and be seen or not.
      const deleted = done < 0 || sent < 0;
      if (answer._shards.failed > 0) reads.failed++;
      else if (shown === undefined && !deleted) reads.wrong.push(`${id} is missing, version ${done} was done`);
      else if (shown !== undefined && shown < Math.abs(done)) {
        reads.wrong.push(`${id} shows version ${shown}, version ${done} was done`);
      }
    } catch {
      reads.failed++;
    }
  };
  while (running.yes) {
    const one = read(next());
    under.add(one);
    void one.finally(() => under.delete(one));
    await pause(1000 / READS_A_SECOND);
  }
  await Promise.all(under);
  return reads;
}
