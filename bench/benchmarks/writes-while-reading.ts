import { setTimeout as pause } from "node:timers/promises";
import { type Benchmark, goal } from "../benchmark.ts";
import { closedLoad } from "../load/closed.ts";
import type { Target } from "../load/exchange.ts";
import { interleaved } from "../load/interleaved.ts";
import { createSample, figuresOf, type Sample } from "../load/sample.ts";
import { apiTarget } from "../requests/targets.ts";
import { sidesFigures, sidesTable } from "../report/sides.ts";
import { startApi } from "../stage/api.ts";
import { type Indexer, startIndexer } from "../stage/indexer.ts";
import { processMeter } from "../stage/meters.ts";
import { writtenAgain } from "../writes/again.ts";
import { noteFreshness } from "../writes/freshness.ts";
import { hotRequests } from "./search-hot.ts";

const CONNECTIONS = 8;
const TURN_SECONDS = 5;
/** Part of a turn for which pages are asked for before it counts. */
const WARM_UP_SECONDS = 1;
const RECORDS_A_SECOND = 200;
const JOBS_A_SECOND = 10;

/** What is asked for again and again, while all of it is made anew about once a second. */
export const writesWhileReading: Benchmark = {
  name: "writes-while-reading",
  about: "search-hot while 200 records a second come in, against search-hot while none do",
  async run(stage, options) {
    await stage.load({ records: true });
    const api = await startApi(stage, { profile: options.profile });
    const indexer = await startIndexer(stage);
    const { next } = hotRequests(stage.world, 1);
    const target = apiTarget(stage, api, "funding", next);
    const quiet: Target = { ...target, name: "API, nothing written" };
    const busy: Target = {
      ...target,
      name: `API, ${RECORDS_A_SECOND} records/s`,
      meters: { ...target.meters, Indexer: processMeter(indexer.process.pid) },
    };
    const fresh = createSample("searchable");
    const writes = writtenAgain(stage.world, Date.now() % 1_000_000);
    let looked = 0;

    const load = async (side: Target, sample: Sample) => {
      const turn = { connections: CONNECTIONS, seconds: TURN_SECONDS };
      if (side === quiet) {
        await closedLoad(side, createSample("warming up"), { ...turn, seconds: WARM_UP_SECONDS });
        return closedLoad(side, sample, turn);
      }
      let writing = true;
      const written = writeSteadily(indexer, writes, () => writing);
      const seen = (async () => {
        while (writing) {
          await noteFreshness({ world: stage.world, api, indexer }, fresh, looked++);
          await pause(300);
        }
      })();
      await closedLoad(side, createSample("warming up"), { ...turn, seconds: WARM_UP_SECONDS });
      await closedLoad(side, sample, turn);
      writing = false;
      await Promise.all([written, seen]);
      await indexer.drained();
    };
    const turns = Math.max(2, Math.round(options.seconds / TURN_SECONDS));
    const samples = await interleaved([quiet, busy], {
      turns,
      seconds: TURN_SECONDS,
      connections: CONNECTIONS,
      warmUpSeconds: options.warmUpSeconds,
      load,
    });
    await indexer.stop();
    await api.process.stop();

    const [rest, work] = samples.map((sample) => figuresOf(sample).per_second) as [number, number];
    const ratio = work / rest;
    const { p50_ms, p99_ms } = figuresOf(fresh);
    const goals = [
      goal("requests/s against none written", ratio, { least: 0.4 }),
      goal("p99 in s until a record is searchable", p99_ms / 1000, { most: 2 }),
    ];
    const sides = sidesTable(samples);
    sides.rows.push([fresh.name, "", p50_ms, p99_ms, "", fresh.requests]);
    return {
      ok: goals.every(({ met }) => met),
      ratio,
      figures: { sides: sidesFigures(samples), searchable: figuresOf(fresh) },
      table: sides,
      goals,
    };
  },
};

/** Enqueues at a fixed rate, in small jobs, whatever the indexer does. */
async function writeSteadily(
  indexer: Indexer,
  writes: ReturnType<typeof writtenAgain>,
  wanted: () => boolean,
): Promise<void> {
  const start = performance.now();
  for (let jobs = 0; wanted(); jobs++) {
    await pause(Math.max(0, start + (jobs * 1000) / JOBS_A_SECOND - performance.now()));
    const enqueuer = indexer.enqueuer();
    for (let i = 0; i < RECORDS_A_SECOND / JOBS_A_SECOND; i++) await enqueuer.add(writes.next().value);
    await enqueuer.flush();
  }
}
