import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { basename, join } from "node:path";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { redisLosses } from "@tranche/shared/protocol/runs/redis-loss";
import { ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import { type Drill, seconds } from "./drill.ts";
import { type Installation, judge, NOW, until, withInstallation } from "./installation.ts";
import { among, firstRecords, randomRound } from "./workload.ts";

/** What the indexer has taken is not lost: it is to be little of what there is. */
const JOBS_IN_HAND = "3";
/** Longer than a batch takes. */
const QUIET_MS = 5000;
/** More than a minute are left even if the first tenth of the records takes as long as it may. */
const CLOCK_AHEAD_MS = 150_000;

export const redisLost: Drill = {
  name: "redis-lost",
  about: "Redis emptied in mid-ingest, with its clock behind earlier tickets",
  run: (context) =>
    withInstallation(context, { env: { TRANCHE_INDEXER_CONCURRENCY: JOBS_IN_HAND } }, async (installation) => {
      const { random, say, size } = context;
      const records = size === "full" ? 100_000 : 8000;
      const { queues, service, client, names } = installation;
      const writes = firstRecords(random, records).map(enqueuedNow);
      const folder = await mkdtemp(join(tmpdir(), "tranche-drill-"));
      const file = join(folder, "records.ndjson");
      await writeFile(file, writes.map((write) => `${JSON.stringify(asRecord(write))}\n`).join(""));
      try {
        // As if the clock of Redis were set back later: the tickets up to the loss are ahead of it.
        await queues.redis.set(ticketKey(service.namespace), String((Date.now() + CLOCK_AHEAD_MS) * 1000));
        const ingesting = service.spawnOps(["ingest", file, "--json"]);
        const all = await until("some of the jobs are done", 60_000, async () => {
          const { count } = await client.count({ index: names.role("funding", "live") });
          return count > records / 10;
        });
        const ahead = Number(await queues.redis.get(ticketKey(service.namespace))) / 1000 - Date.now();
        say(
          `Redis is emptied after ${seconds(all)} s, ${await queues.open()} jobs open, tickets ${seconds(ahead)} s ahead`,
        );
        await queues.redis.flushall();
        await ingesting;

        const noticed = await until(
          "the loss is stated",
          60_000,
          async () => (await redisLosses(client, names)).length > 0,
        );
        await until("everything is derived afresh", 300_000, () => nothingToDo(installation));
        await jobsInHandDone(installation);
        const rederived = JSON.parse((await service.ops(["verify", "--json"])).stdout) as { differing: number };
        const status = JSON.parse((await service.ops(["status", "--json"])).stdout) as {
          redis_losses: { runs: { files: string[] }[] }[];
        };
        const stored = await storedRecords(installation);
        say(`${stored} of ${records} records were stored; the records that the loss names are ingested again`);
        const again = await service.ops(["ingest", file, "--wait", "--json"]);

        const newer = Array.from({ length: 500 }, (_, n) => randomRound(random, 2, `rnd-${n}`, among(records)));
        await queues.send(newer, 50);
        const { checks, figures } = await judge(context, installation, [...writes, ...newer], { withinMs: 600_000 });
        const schedulers = await Promise.all(
          [QUEUES.upkeep, QUEUES.due].map((name) => queues.queue(name).getJobSchedulersCount()),
        );
        return {
          checks: {
            ...checks,
            "something was lost": stored < records,
            "tickets were ahead of the clock": ahead > 60_000,
            "a full re-derivation started by itself": rederived.differing === 0,
            "status names the ingest":
              status.redis_losses.length === 1 &&
              status.redis_losses[0]!.runs.some((run) => run.files.includes(basename(file))),
            "ingested again": again.code === 0,
            "what comes by the clock is scheduled again": schedulers.every((count) => count > 0),
          },
          figures: { records, stored_before_repeat: stored, noticed_after_seconds: seconds(noticed), ...figures },
        };
      } finally {
        await rm(folder, { recursive: true });
      }
    }),
};

/** `ops ingest` stamps writes with the clock of the installation, which does not move here. */
const enqueuedNow = (write: RecordWrite): RecordWrite => ({ ...write, updated_at: new Date(NOW).toISOString() });

const asRecord = ({ type, version, body }: RecordWrite) => ({ type, version, ...body });

async function nothingToDo({ queues }: Installation): Promise<boolean> {
  const { waiting, active } = await queues.queue(QUEUES.upkeep).getJobCounts("waiting", "active");
  return waiting === 0 && active === 0 && (await queues.open()) === 0;
}

/** Jobs that the indexer had taken before the loss are no longer in a queue, and done all the same. */
async function jobsInHandDone(installation: Installation): Promise<void> {
  for (let before = -1, now = 0; now !== before; await pause(QUIET_MS)) {
    [before, now] = [now, await storedRecords(installation)];
  }
}

async function storedRecords({ client, names }: Installation): Promise<number> {
  const index = (["company", "investor", "round"] as const).map(names.record);
  await client.indices.refresh({ index });
  return (await client.count({ index })).count;
}
