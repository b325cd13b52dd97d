import { setTimeout as pause } from "node:timers/promises";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { type Benchmark, goal, goalAgainst, type Options, type Outcome } from "../benchmark.ts";
import { removalsOf, writesOf } from "../data/documents.ts";
import type { Family } from "../data/world.ts";
import { closedLoad } from "../load/closed.ts";
import type { Target } from "../load/exchange.ts";
import { interleaved } from "../load/interleaved.ts";
import { bothVersions, speedRatio } from "../load/versions.ts";
import { createSample, figuresOf, type Sample } from "../load/sample.ts";
import { fundingRequests } from "../requests/funding.ts";
import { repeated } from "../requests/repeated.ts";
import { apiTarget } from "../requests/targets.ts";
import { samplesFigures, samplesTable } from "../report/samples.ts";
import { startApi } from "../environment/api.ts";
import { startIndexer } from "../environment/indexer.ts";
import type { Reference } from "../environment/reference.ts";
import type { Environment } from "../environment/environment.ts";
import { processMeter } from "../environment/meters.ts";
import { writtenAgain, writtenChanged, writtenNew } from "../writes/written.ts";
import { measureFreshness } from "../writes/freshness.ts";
import { RECORDS_A_SECOND, write, writeSteadily } from "../writes/steadily.ts";

const CONNECTIONS = 8;
const TURN_SECONDS = 5;
/** Of each commit. */
const COMPARED_TURNS = 2;
/** Part of a turn in which pages are requested before it counts. */
const WARM_UP_SECONDS = 1;

/** Repeated requests, while about once per second new writes become visible. */
export const writesWhileReading: Benchmark = {
  name: "writes-while-reading",
  about: "search-hot while 200 records per second come in, against search-hot while none do",
  compare,
  async run(environment, options) {
    await environment.load({ records: true });
    const { samples, kinds } = await readWhileWriting(environment, options, turnsIn(options.seconds));

    const [rest, ...work] = samples.map((sample) => figuresOf(sample).per_second) as [number, ...number[]];
    const ratios = work.map((each) => each / rest);
    const goals = [
      ...kinds.map(({ what }, i) =>
        goal(`requests/s beside records ${what} against none written`, ratios[i]!, { least: 0.4 }),
      ),
      ...kinds.map(({ fresh }) => goal(`p99 in s until ${fresh.name},`, figuresOf(fresh).p99_ms / 1000, { most: 2 })),
    ];
    const table = samplesTable(samples);
    for (const { fresh } of kinds) {
      const { p50_ms, p99_ms, requests } = figuresOf(fresh);
      table.rows.push([fresh.name, "", p50_ms, p99_ms, "", requests]);
    }
    return {
      ratio: ratios[0]!,
      figures: {
        targets: samplesFigures(samples),
        searchable: samplesFigures(kinds.map(({ fresh }) => fresh)),
      },
      table,
      goals,
    };
  },
};

/** Asks for pages with nothing written and beside each kind of writes, by turns. */
async function readWhileWriting(
  environment: Environment,
  options: Options,
  turns: number,
): Promise<{ samples: Sample[]; kinds: Kind[] }> {
  const api = await startApi(environment, { profile: options.profile });
  const indexer = await startIndexer(environment);
  const { next } = repeated(fundingRequests(environment.world, 1));
  const pages = apiTarget(environment, api, "funding", next);
  const quiet: Target = { ...pages, name: "API, nothing written" };
  let seed = Date.now() % 1_000_000;
  const [changed, added]: [Family[], Family[]] = [[], []];
  const kindOf = (what: string, writes: Kind["writes"], restore: Kind["restore"]): Kind => ({
    what,
    target: {
      ...pages,
      name: `API, ${RECORDS_A_SECOND} records/s ${what}`,
      meters: { ...pages.meters, Indexer: processMeter(indexer.process.pid) },
    },
    writes,
    restore,
    fresh: createSample(`searchable, ${what}`),
  });
  const kinds = [
    kindOf(
      "as they were",
      () => writtenAgain(environment.world, seed++),
      () => [],
    ),
    kindOf(
      "with other amounts",
      () => writtenChanged(environment.world, seed++, changed),
      () => changed.splice(0).flatMap((family) => writesOf(family, Date.now())),
    ),
    kindOf(
      "that are new, of today",
      () => writtenNew(environment.world, added),
      () => added.splice(0).flatMap((family) => removalsOf(family, Date.now())),
    ),
  ];
  let looked = 0;

  const load = async (target: Target, sample: Sample, counts: boolean) => {
    const turn = { connections: CONNECTIONS, seconds: TURN_SECONDS };
    const kind = kinds.find((one) => one.target === target);
    let reading = true;
    const written = kind && writeSteadily(indexer, kind.writes(), () => reading);
    const seen = (async () => {
      while (kind && reading) {
        const fresh = counts ? kind.fresh : createSample("warming up");
        await measureFreshness({ world: environment.world, api, indexer }, fresh, looked++);
        await pause(300);
      }
    })();
    await closedLoad(target, createSample("warming up"), { ...turn, seconds: WARM_UP_SECONDS });
    await closedLoad(target, sample, turn);
    reading = false;
    await Promise.all([written, seen]);
    if (kind) await write(indexer, kind.restore());
    await indexer.drained();
  };
  const samples = await interleaved([quiet, ...kinds.map(({ target }) => target)], {
    turns,
    seconds: TURN_SECONDS,
    connections: CONNECTIONS,
    warmUpSeconds: options.warmUpSeconds,
    load,
  });
  await indexer.stop();
  await api.process.stop();
  return { samples, kinds };
}

/** How many requests this version and another commit answer beside the same writes: twice each by turns, half as long. */
async function compare(environment: Environment, options: Options, reference: Reference): Promise<Outcome> {
  await environment.load({ records: true });
  const turns = Math.max(1, turnsIn(options.seconds) >> 1);
  const runs = await bothVersions(
    environment,
    reference,
    COMPARED_TURNS,
    async (version) => (await readWhileWriting(version, options, turns)).samples,
  );
  const ratios = runs[0]!.found.map(({ name }, i) => ({
    name,
    ratio: speedRatio(runs, (samples) => figuresOf(samples[i]!).per_second),
  }));
  const goals = ratios.map(({ name, ratio }) => goalAgainst(`requests/s, ${name},`, reference, ratio));
  const samples = runs.flatMap(({ version, found }) =>
    found.map((sample) => ({ ...sample, name: `${sample.name}, ${version}` })),
  );
  return {
    ratio: ratios[0]!.ratio,
    figures: { ratios, targets: samplesFigures(samples) },
    table: samplesTable(samples),
    goals,
  };
}

const turnsIn = (seconds: number): number => Math.max(2, Math.round(seconds / TURN_SECONDS));

/** `writes`: those of a turn. `restore`: writes that undo them afterwards. */
type Kind = {
  what: string;
  target: Target;
  writes: () => Generator<RecordWrite, never>;
  restore: () => RecordWrite[];
  fresh: Sample;
};
