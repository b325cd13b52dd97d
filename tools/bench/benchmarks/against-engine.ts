import { type Benchmark, goal, type Options, type Outcome } from "../benchmark.ts";
import type { World } from "../data/world.ts";
import { interleaved } from "../load/interleaved.ts";
import { openLoad } from "../load/open.ts";
import { figuresOf } from "../load/sample.ts";
import { apiTarget, engineTarget, type ListName } from "../requests/targets.ts";
import { samplesFigures, samplesTable } from "../report/samples.ts";
import { startApi } from "../environment/api.ts";
import type { Target } from "../load/exchange.ts";
import { compareApis } from "./compare-apis.ts";
import { startBaseline } from "../baseline/baseline.ts";
import type { Environment } from "../environment/environment.ts";

/** Of the API and of each of its baselines. */
const CONNECTIONS = 8;
const TURN_SECONDS = 3;
/** Of what Elasticsearch alone does under closed load, so that neither target has a queue that only grows. */
const OPEN_SHARE = 0.6;

/** Query strings of a list, each of them new. */
type Requests = (world: World, seed: number) => Generator<string, never>;

/** What the benchmark of a list does with requests that were not made before. */
export const newPages = (
  list: ListName,
  requests: Requests,
): Pick<Benchmark, "run" | "compare" | "comparesOwnEngines"> => ({
  comparesOwnEngines: true,
  compare: compareApis(list, [CONNECTIONS], (world) => drawn(world, requests)),
  run: (environment, options) => againstEngine(environment, options, list, requests),
});

function drawn(world: World, requests: Requests): () => string {
  const endless = requests(world, Date.now() % 1_000_000);
  return () => endless.next().value;
}

type Figures = ReturnType<typeof figuresOf>;

/** A list of the API against Elasticsearch alone; every request differs from all others of both targets. */
async function againstEngine(
  environment: Environment,
  options: Options,
  list: ListName,
  requests: Requests,
): Promise<Outcome> {
  await environment.load({ records: false });
  const api = await startApi(environment, { profile: options.profile });
  const next = drawn(environment.world, requests);
  const engine = engineTarget(environment, list, next);
  const ours = apiTarget(environment, api, list, next);
  const targets = [ours, engine];
  // What no service before Elasticsearch can do without on the same two cores.
  const baseline = await startBaseline(environment);
  const passing: Target = {
    ...engine,
    name: "Koa, one Redis script, search passed on",
    origin: baseline.target.origin,
    meters: { ...baseline.target.meters, ...engine.meters },
  };
  const turns = Math.max(2, Math.round(options.seconds / TURN_SECONDS));
  const { warmUpSeconds } = options;
  const slices = { turns, seconds: TURN_SECONDS, connections: CONNECTIONS, warmUpSeconds };

  const closed = await interleaved([...targets, passing], slices);
  const [mine, theirs, least] = closed.map(figuresOf) as [Figures, Figures, Figures];
  const perSecond = OPEN_SHARE * theirs.per_second;
  const open = await interleaved(
    targets.map((target) => ({ ...target, name: `${target.name}, ${Math.round(perSecond)}/s` })),
    {
      ...slices,
      // They are warm by now.
      warmUpSeconds: 0,
      turns: Math.ceil(turns / 2),
      load: (target, sample) => openLoad(target, sample, { connections: 64, seconds: TURN_SECONDS, perSecond }),
    },
  );
  await baseline.process.stop();
  await api.process.stop();

  const ratio = mine.per_second / theirs.per_second;
  const tail = mine.p99_ms / theirs.p99_ms;
  const goals = [
    goal("requests/s against Elasticsearch alone", ratio, { least: 0.9 }),
    goal("p99 against Elasticsearch alone", tail, { most: 1.3 }),
  ];
  return {
    ratio,
    figures: {
      p99_ratio: tail,
      passed_on_ratio: least.per_second / theirs.per_second,
      closed: samplesFigures(closed),
      open: samplesFigures(open),
    },
    table: samplesTable([...closed, ...open]),
    goals,
  };
}
