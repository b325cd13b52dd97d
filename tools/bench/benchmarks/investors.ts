import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { type Benchmark, goal } from "../benchmark.ts";
import { writeOf } from "../data/documents.ts";
import type { World } from "../data/world.ts";
import { startApi } from "../environment/api.ts";
import { emptyEnvironment } from "../environment/environment.ts";
import { startIndexer } from "../environment/indexer.ts";
import { cpuSince, processMeter, readMeters } from "../environment/meters.ts";
import { createSample, figuresOf, recordMeasurement, type Sample } from "../load/sample.ts";
import { shownCpu } from "../report/samples.ts";
import { write } from "../writes/steadily.ts";
import { untilShown } from "../writes/until-shown.ts";

/** Rounds that each investor has before the first one is added. */
const ROUNDS_BEFORE = [10, 1000, 10_000, 25_000, 100_000];
const COMPANIES = 10_000;
/** Rounds added to each before those that count. */
const WARM_UP = 3;

/** One more round for investors with few and with many. */
export const investors: Benchmark = {
  name: "investors",
  about: "one more round for investors with 10 to 100,000 of them, from the queue until /investors counts it",
  async run(environment, options) {
    const fresh = await emptyEnvironment(environment, "investors");
    const { world } = fresh;
    const [api, indexer] = [await startApi(fresh), await startIndexer(fresh)];
    await write(indexer, firstWrites(world));
    await indexer.drained();

    const meters = { Indexer: processMeter(indexer.process.pid), ES: fresh.meters.elasticsearch };
    const count = Math.max(10, Math.round(options.seconds));
    const sizes = [];
    for (const [nth, rounds] of ROUNDS_BEFORE.entries()) {
      const investor = world.investors[nth]!;
      let has = rounds;
      const addRound = async (sample: Sample) => {
        const start = performance.now();
        await write(indexer, [roundOf(world, investor.id, has++)]);
        await untilShown<Row[]>(api, `/investors?q=${encodeURIComponent(investor.name)}`, (rows) =>
          rows.some(({ id, round_count }) => id === investor.id && round_count === has),
        );
        recordMeasurement(sample, performance.now() - start);
        await indexer.drained();
      };
      for (let n = 0; n < WARM_UP; n++) await addRound(createSample("warming up"));
      const sample = createSample(`${rounds} rounds`);
      const before = await readMeters(meters);
      for (let n = 0; n < count; n++) await addRound(sample);
      sizes.push({ rounds, sample, cpu_us: await cpuSince(before, meters, count) });
    }
    await api.process.stop();
    await indexer.stop();

    const figures = sizes.map(({ rounds, sample, cpu_us }) => ({ rounds, ...figuresOf(sample), cpu_us }));
    const goals = figures.map(({ rounds, p99_ms }) =>
      goal(`p99 in s until an investor of ${rounds} rounds has one more`, p99_ms / 1000, { most: 2 }),
    );
    return {
      ratio: figures.at(-1)!.p50_ms / figures[0]!.p50_ms,
      figures: { sizes: figures },
      table: {
        head: ["rounds before", "times", "p50 ms", "p99 ms", "CPU µs/round"],
        rows: figures.map(({ rounds, p50_ms, p99_ms, cpu_us }) => [rounds, count, p50_ms, p99_ms, shownCpu(cpu_us)]),
      },
      goals,
    };
  },
};

type Row = { id: string; round_count: number };

/** Companies, investors, and the first rounds of each: all of a company together. */
function* firstWrites(world: World): Generator<RecordWrite> {
  for (const nth of ROUNDS_BEFORE.keys()) yield writeOf("investor", world.investors[nth]!, 1);
  for (let position = 0; position < COMPANIES; position++) {
    yield writeOf("company", world.family(position).company, 1);
    for (const [nth, rounds] of ROUNDS_BEFORE.entries())
      for (let n = position; n < rounds; n += COMPANIES) yield roundOf(world, world.investors[nth]!.id, n);
  }
}

/** The nth round of an investor, from 0; companies take turns. */
function roundOf(world: World, investor_id: string, n: number): RecordWrite {
  return writeOf(
    "round",
    {
      ...world.family(n).rounds[0]!,
      id: `${investor_id}-${n}`,
      company_id: world.family(n % COMPANIES).company.id,
      investors: [{ investor_id, is_lead: n % 2 === 0 }],
    },
    1,
  );
}
