import { MAX_JOB_RECORDS } from "@tranche/shared/queue/queues";
import { type Benchmark, goal } from "../benchmark.ts";
import { createSample, figuresOf } from "../load/sample.ts";
import { readMeters, processMeter } from "../stage/meters.ts";
import { startApi } from "../stage/api.ts";
import { startIndexer } from "../stage/indexer.ts";
import { noteFreshness } from "../writes/freshness.ts";
import { writtenAgain } from "../writes/again.ts";

/** Single records a second of measuring. */
const SINGLE_RECORDS_A_SECOND = 2;
const WARM_UP_RECORDS = 2000;
/** Enough that the indexer never waits, and few enough that the end of the time is nearly the end of the work. */
const MAX_WAITING_JOBS = 6;

/** Records through the queue, from the first that is enqueued until the last one is searchable. */
export const ingest: Benchmark = {
  name: "ingest",
  about:
    "records through the queue until they are searchable: many in a row, and one at a time while nothing else is done",
  async run(stage, options) {
    await stage.load({ records: true });
    const indexer = await startIndexer(stage, { profile: options.profile });
    const writes = writtenAgain(stage.world, Date.now() % 1_000_000);
    const enqueue = async (until: (written: number) => boolean) => {
      const enqueuer = indexer.enqueuer();
      let written = 0;
      for (; !until(written); written++) {
        if (written % MAX_JOB_RECORDS === 0) await indexer.waitingAtMost(MAX_WAITING_JOBS);
        await enqueuer.add(writes.next().value);
      }
      await enqueuer.flush();
      await indexer.drained();
      return written;
    };
    await enqueue((written) => written === WARM_UP_RECORDS);

    const meters = {
      Indexer: processMeter(indexer.process.pid),
      Redis: stage.meters.redis,
      ES: stage.meters.elasticsearch,
    };
    const cpuBefore = await readMeters(meters);
    const start = performance.now();
    const end = start + options.seconds * 1000;
    const records = await enqueue(() => performance.now() > end);
    const seconds = (performance.now() - start) / 1000;
    const cpu = Object.entries(await readMeters(meters)).map(
      ([name, ms]) => [name, Math.round((1000 * (ms - cpuBefore[name]!)) / records)] as const,
    );

    const api = await startApi(stage);
    const single = createSample("one record at idle");
    const count = Math.max(10, Math.round(options.seconds * SINGLE_RECORDS_A_SECOND));
    for (let i = -1; i < count; i++) {
      const sample = i < 0 ? createSample("warming up") : single;
      await noteFreshness({ world: stage.world, api, indexer }, sample, i + 1);
      await indexer.drained();
    }
    await api.process.stop();
    await indexer.stop();

    const perSecond = records / seconds;
    const { p50_ms, p99_ms } = figuresOf(single);
    const goals = [
      goal("records/s", perSecond, { least: 4000 }),
      goal("p99 in s of one record at idle", p99_ms / 1000, { most: 2 }),
    ];
    return {
      ok: goals.every(({ met }) => met),
      ratio: perSecond / 4000,
      figures: { records, seconds, per_second: perSecond, cpu_us: Object.fromEntries(cpu), single: figuresOf(single) },
      table: {
        head: ["what", "records", "records/s", "p50 ms", "p99 ms", "CPU µs/record"],
        rows: [
          ["many", records, Math.round(perSecond), "", "", cpu.map(([name, us]) => `${name} ${us}`).join(", ")],
          ["one at idle", count, "", p50_ms, p99_ms, ""],
        ],
      },
      goals,
    };
  },
};
