import { type Benchmark, goal } from "../benchmark.ts";
import { createRandom } from "../data/random.ts";
import type { World } from "../data/world.ts";
import { FEW_AND_MANY, fromEach } from "../load/interleaved.ts";
import { figuresOf } from "../load/sample.ts";
import { fundingRequests } from "../requests/funding.ts";
import { repeated } from "../requests/repeated.ts";
import { apiTarget, engineTarget } from "../requests/targets.ts";
import { samplesFigures, samplesTable } from "../report/samples.ts";
import { startApi } from "../environment/api.ts";

const TURN_SECONDS = 3;
/** So that five times Elasticsearch alone is the most that there can be. */
const NEW_SHARE = 0.2;

/** Mostly repeated requests; now and then new ones, from one sequence for all targets. */
function mixedRequests(world: World): () => string {
  const { next } = repeated(fundingRequests(world, 1));
  const fresh = fundingRequests(world, 2 + (Date.now() % 1_000_000));
  const random = createRandom(3);
  return () => (random.chance(NEW_SHARE) ? fresh.next().value : next());
}

export const searchMixed: Benchmark = {
  name: "search-mixed",
  about: "four in five from 200 funding pages, one in five never asked for before, against Elasticsearch alone",
  async run(environment, options) {
    await environment.load({ records: false });
    const api = await startApi(environment, { profile: options.profile });
    const next = mixedRequests(environment.world);
    const targets = [apiTarget(environment, api, "funding", next), engineTarget(environment, "funding", next)];
    const turns = Math.max(2, Math.round(options.seconds / TURN_SECONDS));
    const { warmUpSeconds } = options;
    const measured = await fromEach(FEW_AND_MANY, targets, { turns, seconds: TURN_SECONDS, warmUpSeconds });
    await api.process.stop();

    const ratios = measured.map(({ connections, samples }) => {
      const [mixed, engine] = samples.map((sample) => figuresOf(sample).per_second) as [number, number];
      return { connections, engine: mixed / engine };
    });
    const goals = ratios.map(({ connections, engine }) =>
      goal(`requests/s against Elasticsearch alone, ${connections} connections,`, engine, { least: 4 }),
    );
    const samples = measured.flatMap((each) => each.samples);
    return {
      ratio: ratios[0]!.engine,
      figures: { new_share: NEW_SHARE, ratios, targets: samplesFigures(samples) },
      table: samplesTable(samples),
      goals,
    };
  },
};
