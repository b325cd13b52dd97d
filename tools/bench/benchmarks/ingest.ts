import { MAX_JOB_RECORDS } from "@tranche/shared/protocol/queue/queues";
import { type Benchmark, goal, goalAgainst, type Options, type Outcome } from "../benchmark.ts";
import { createSample, figuresOf } from "../load/sample.ts";
import { cpuSince, processMeter, readMeters } from "../environment/meters.ts";
import { shownCpu } from "../report/samples.ts";
import type { Reference } from "../environment/reference.ts";
import { bothVersions, speedRatio } from "../load/versions.ts";
import { startApi } from "../environment/api.ts";
import { startIndexer } from "../environment/indexer.ts";
import { measureFreshness } from "../writes/freshness.ts";
import { writtenAgain } from "../writes/written.ts";
import { investorWrites, writesOf } from "../data/documents.ts";
import type { World } from "../data/world.ts";
import { emptyEnvironment, type Environment } from "../environment/environment.ts";
import type { RecordWrite } from "@tranche/shared/domain/records/record";

/** Single records per second of measuring. */
const SINGLE_RECORDS_A_SECOND = 2;
/** Enough that the indexer never waits, and few enough that the end of the time is nearly the end of the work. */
const MAX_WAITING_JOBS = 12;

/** Of each commit. Two turns of one commit differ by a tenth and more. */
const COMPARED_TURNS = 4;

/** Records through the queue, from the first that is enqueued until the last one is searchable. */
export const ingest: Benchmark = {
  name: "ingest",
  about:
    "records through the queue until they are searchable: many in a row, and one at a time while nothing else is done",
  compare,
  async run(environment, options) {
    const fresh = await emptyEnvironment(environment, "new");
    const first = await many(fresh, options, newWrites(fresh.world));
    await environment.load({ records: true });
    const again = await many(environment, options, writtenAgain(environment.world, Date.now() % 1_000_000));

    const indexer = await startIndexer(environment);
    const api = await startApi(environment);
    const single = createSample("one record at idle");
    const count = Math.max(10, Math.round(options.seconds * SINGLE_RECORDS_A_SECOND));
    for (let i = -1; i < count; i++) {
      const sample = i < 0 ? createSample("warming up") : single;
      await measureFreshness({ world: environment.world, api, indexer }, sample, i + 1);
      await indexer.drained();
    }
    await api.process.stop();
    await indexer.stop();

    const { p50_ms, p99_ms } = figuresOf(single);
    const goals = [
      goal("new records/s", first.per_second, { least: 4000 }),
      goal("p99 in s of one record at idle", p99_ms / 1000, { most: 2 }),
    ];
    return {
      ratio: first.per_second / 4000,
      figures: { new: first, again, single: figuresOf(single) },
      table: {
        head: HEAD,
        rows: [
          row("new ones, into nothing", first),
          row("newer versions", again),
          ["one at idle", count, "", p50_ms, p99_ms, ""],
        ],
      },
      goals,
    };
  },
};

const HEAD = ["what", "records", "records/s", "p50 ms", "p99 ms", "CPU µs/record"];
const row = (name: string, { records, per_second, cpu_us }: Many) => [
  name,
  records,
  Math.round(per_second),
  "",
  "",
  shownCpu(cpu_us),
];

/** New records by this version and by another commit in turns, each into nothing, after a turn of each that does not count. */
async function compare(environment: Environment, options: Options, reference: Reference): Promise<Outcome> {
  const measure = async (version: Environment): Promise<Many> => {
    const empty = await emptyEnvironment(version, "new");
    return many(empty, options, newWrites(empty.world));
  };
  // Thrown away: the engine still gets faster for minutes, so whoever is measured first would lose.
  await bothVersions(environment, reference, 1, measure);
  const runs = await bothVersions(environment, reference, COMPARED_TURNS, measure);
  const ratio = speedRatio(runs, ({ per_second }) => per_second);
  const goals = [goalAgainst("new records/s", reference, ratio)];
  return {
    ratio,
    figures: { runs },
    table: { head: HEAD, rows: runs.map(({ version, found }) => row(version, found)) },
    goals,
  };
}

type Many = { records: number; seconds: number; per_second: number; cpu_us: Record<string, number> };

/** As many records as the indexer takes in the time, from the first that is enqueued until the last one is searchable. */
async function many(
  environment: Environment,
  options: { seconds: number; profile?: string | undefined },
  writes: Iterator<RecordWrite, never>,
): Promise<Many> {
  const indexer = await startIndexer(environment, { profile: options.profile });
  const enqueueFor = async (seconds: number) => {
    const enqueuer = indexer.enqueuer();
    const end = performance.now() + seconds * 1000;
    let written = 0;
    for (; performance.now() < end; written++) {
      if (written % MAX_JOB_RECORDS === 0) await indexer.waitingAtMost(MAX_WAITING_JOBS);
      await enqueuer.add(writes.next().value);
    }
    await enqueuer.flush();
    await indexer.drained();
    return written;
  };
  // The engine compiles what it runs often while it runs: for a minute that takes more than the work itself.
  await enqueueFor(options.seconds);

  const meters = {
    Indexer: processMeter(indexer.process.pid),
    Redis: environment.meters.redis,
    ES: environment.meters.elasticsearch,
  };
  const before = await readMeters(meters);
  const start = performance.now();
  const records = await enqueueFor(options.seconds);
  const seconds = (performance.now() - start) / 1000;
  const cpu_us = await cpuSince(before, meters, records);
  await indexer.stop();
  return { records, seconds, per_second: records / seconds, cpu_us };
}

/** All of a company together, one company after the other, as a first load brings them. */
function* newWrites(world: World): Generator<RecordWrite, never> {
  yield* investorWrites(world, Date.now());
  for (let position = 0; ; position++) yield* writesOf(world.family(position), Date.now());
}
