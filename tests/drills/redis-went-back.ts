import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordWrite } from "@tranche/shared/records/record";
import { ticketKey } from "@tranche/shared/ticket/ticket-clock";
import { ownFolder } from "../../infra/engines/data-folder.ts";
import type { Drill } from "./drill.ts";
import { type Installation, judge, NOW, until, withInstallation } from "./installation.ts";
import { firstRecords } from "./workload.ts";

type Lost = { file: string; lines?: [number, number] }[];
type Status = { redis_losses: { how: string }[]; lost_ingests: { lost: Lost }[] };

export const redisWentBack: Drill = {
  name: "redis-went-back",
  about: "Redis replaced by an older copy of its own data during an ingest, as by a failover to a replica that lagged",
  run: (context) =>
    withInstallation(context, { env: { TRANCHE_INDEXER_CONCURRENCY: "3" } }, async (installation) => {
      const { engines, random, say, size } = context;
      const records = size === "full" ? 150_000 : 16_000;
      const { queues, service } = installation;
      const writes = firstRecords(random, records).map((write) => ({
        ...write,
        updated_at: new Date(NOW).toISOString(),
      }));
      const folder = await mkdtemp(join(tmpdir(), "tranche-drill-"));
      const file = join(folder, "records.ndjson");
      const copy = join(folder, "older");
      await writeFile(file, writes.map((write) => `${JSON.stringify(asRecord(write))}\n`).join(""));
      const status = async () => JSON.parse((await service.ops(["status", "--json"])).stdout) as Status;
      const marked = async (least: number) => {
        const [key] = await queues.redis.keys(`{${service.namespace}}:ingest-run:*`);
        return key !== undefined && Number(await queues.redis.get(key)) >= least;
      };
      const jobs = records / 500;
      try {
        say("Redis is killed and started again on its own data");
        await engines.redis.kill();
        await engines.redis.start();
        const restarted = await status();

        const ingesting = service.ops(["ingest", file, "--wait", "--json"]);
        await until("a fifth of the jobs are acknowledged", 60_000, () => marked(jobs / 5));
        const [, dir] = (await queues.redis.config("GET", "dir")) as [string, string];
        await cp(dir, copy, { recursive: true });
        await until("half of the jobs are acknowledged", 60_000, () => marked(jobs / 2));
        const clock = Number(await queues.redis.get(ticketKey(service.namespace)));
        await engines.redis.kill();
        await rm(dir, { recursive: true });
        await cp(copy, dir, { recursive: true });
        // Redis runs as another user where the drill runs as root.
        ownFolder(dir);
        await engines.redis.start();
        say(`Redis is back with its data of before, ${await queues.open()} jobs open`);

        const result = await ingesting;
        const summary = JSON.parse(result.stdout) as { searchable: boolean; lost?: Lost };
        const lost = summary.lost ?? [];
        say(`ops ingest ended with ${result.code} and names ${JSON.stringify(lost.map(({ lines }) => lines))}`);
        const unstored = await unstoredLines(installation, writes);
        const isNamed = (line: number) =>
          lost.some(({ file: named, lines }) => named === file && lines && lines[0] <= line && line <= lines[1]);
        const named = lost.reduce((sum, { lines }) => sum + (lines ? lines[1] - lines[0] + 1 : 0), 0);
        const after = await status();
        const goesOn = Number(await queues.redis.get(ticketKey(service.namespace)));

        say(`${unstored.length} of ${records} records are not stored; the file is ingested again`);
        const again = await service.ops(["ingest", file, "--wait", "--json"]);
        const resolved = await status();
        const { checks, figures } = await judge(context, installation, writes, { withinMs: 600_000 });
        return {
          checks: {
            ...checks,
            "a restart that loses nothing is no loss": restarted.redis_losses.length === 0,
            "something was lost": unstored.length > 0,
            "ops ingest --wait fails": result.code === 1 && !summary.searchable,
            "every lost write is named by file and line": unstored.every(isNamed),
            "what is named is not the whole file": named < records,
            "status shows the loss": after.redis_losses.some(({ how }) => how === "went back"),
            "status names what to ingest again": JSON.stringify(after.lost_ingests[0]?.lost) === JSON.stringify(lost),
            "tickets continue above all of before": goesOn > clock,
            "ingested again": again.code === 0,
            "ingesting again resolves it": resolved.lost_ingests.length === 0,
          },
          figures: { records, lost_writes: unstored.length, named_lines: named, jobs, ...figures },
        };
      } finally {
        await rm(folder, { recursive: true });
      }
    }),
};

const asRecord = ({ type, version, body }: RecordWrite) => ({ type, version, ...body });

/** The lines whose records are not stored. */
async function unstoredLines({ client, names }: Installation, writes: readonly RecordWrite[]): Promise<number[]> {
  const index = (["company", "investor", "round"] as const).map(names.record);
  await client.indices.refresh({ index });
  const unstored: number[] = [];
  for (let from = 0; from < writes.length; from += 2000) {
    const some = writes.slice(from, from + 2000);
    const docs = some.map(({ type, id }) => ({ _index: names.record(type), _id: id, _source: false }));
    const found = await client.mget({ docs });
    for (const [i, document] of found.docs.entries())
      if (!("found" in document && document.found)) unstored.push(from + i + 1);
  }
  return unstored;
}
