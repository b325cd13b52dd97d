import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { mastersOf } from "@tranche/shared/engines/redis/nodes";
import { ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { DrillContext, Outcome } from "./drill.ts";
import { type Installation, judge, NOW, until } from "./installation.ts";
import { firstRecords } from "./workload.ts";

export const RECORDS_PER_JOB = 500;

type Lost = { file: string; lines?: [number, number] }[];
type Status = { redis_losses: { how: string }[]; lost_ingests: { lost: Lost }[] };

/** What `ops status` says of losses. */
export const statusOf = async ({ service }: Pick<Installation, "service">): Promise<Status> =>
  JSON.parse((await service.ops(["status", "--json"])).stdout) as Status;

/**
 * Has `ops ingest --wait` load a file while `lose` makes Redis forget jobs that it had acknowledged. `acknowledged` waits until that part of
 * the jobs was. Every lost write has to be named by file and line; the file is then ingested again.
 */
export async function ingestWithLoss(
  context: DrillContext,
  installation: Installation,
  records: number,
  lose: (acknowledged: (part: number) => Promise<unknown>) => Promise<void>,
): Promise<Outcome> {
  const { random, say } = context;
  const { queues, service } = installation;
  const updated_at = new Date(NOW).toISOString();
  const writes = firstRecords(random, records).map((write) => ({ ...write, updated_at }));
  const folder = await mkdtemp(join(tmpdir(), "tranche-drill-"));
  const file = join(folder, "records.ndjson");
  await writeFile(file, writes.map((write) => `${JSON.stringify(asRecord(write))}\n`).join(""));
  const jobs = records / RECORDS_PER_JOB;
  const clockOf = async () => Number(await queues.redis.get(ticketKey(service.namespace)));
  const marked = async (least: number) => {
    const keys = mastersOf(queues.redis).map((node) => node.keys(`{${service.namespace}}:ingest-run:*`));
    const [key] = (await Promise.all(keys)).flat();
    return key !== undefined && Number(await queues.redis.get(key)) >= least;
  };
  let clock = 0;
  try {
    const ingesting = service.spawnOps(["ingest", file, "--wait", "--json"]);
    await lose(async (part) => {
      await until(`${part * jobs} jobs are acknowledged`, 60_000, () => marked(part * jobs));
      clock = await clockOf();
    });
    say(`Redis is back, ${await queues.open()} jobs open`);

    const result = await ingesting;
    const summary = JSON.parse(result.stdout) as { searchable: boolean; lost?: Lost };
    const lost = summary.lost ?? [];
    say(`ops ingest ended with ${result.code} and names ${JSON.stringify(lost.map(({ lines }) => lines))}`);
    const unstored = await unstoredLines(installation, writes);
    const isNamed = (line: number) =>
      lost.some(({ file: named, lines }) => named === basename(file) && lines && lines[0] <= line && line <= lines[1]);
    const named = lost.reduce((sum, { lines }) => sum + (lines ? lines[1] - lines[0] + 1 : 0), 0);
    const after = await statusOf(installation);
    const goesOn = await clockOf();

    say(`${unstored.length} of ${records} records are not stored; the file is ingested again`);
    const again = await service.ops(["ingest", file, "--wait", "--json"]);
    const resolved = await statusOf(installation);
    const { checks, figures } = await judge(context, installation, writes, { withinMs: 600_000 });
    return {
      checks: {
        ...checks,
        "something was lost": unstored.length > 0,
        "ops ingest --wait fails": result.code === 1 && !summary.searchable,
        "every lost write is named by file and line": unstored.every(isNamed),
        "what is named is not the whole file": named < records,
        "status shows the loss": after.redis_losses.some(({ how }) => how === "went back"),
        "status names what to ingest again": JSON.stringify(after.lost_ingests[0]?.lost) === JSON.stringify(lost),
        "tickets continue above all earlier ones": goesOn > clock,
        "ingested again": again.code === 0,
        "ingesting again resolves it": resolved.lost_ingests.length === 0,
      },
      figures: { records, lost_writes: unstored.length, named_lines: named, jobs, ...figures },
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

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
