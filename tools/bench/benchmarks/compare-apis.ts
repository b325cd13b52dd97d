import { join } from "node:path";
import { type Benchmark, goalAgainst } from "../benchmark.ts";
import type { World } from "../data/world.ts";
import { startApi } from "../environment/api.ts";
import { environmentAt, ownEnvironment } from "../environment/reference.ts";
import { fromEach } from "../load/interleaved.ts";
import { figuresOf } from "../load/sample.ts";
import { samplesFigures, samplesTable } from "../report/samples.ts";
import { anotherApi, apiTarget, type ListName } from "../requests/targets.ts";

/** Short turns, and many: the speed of the machine changes within seconds. */
const TURN_SECONDS = 1;

/**
 * Compares this version's API with that of another commit, from each number of connections. The two alone take turns: with others in
 * between, a commit against itself came out at 0.96 to 1.02. `requests`: the next query string of the list at each call.
 */
export const compareApis =
  (
    list: ListName,
    connections: readonly number[],
    requests: (world: World) => () => string,
  ): NonNullable<Benchmark["compare"]> =>
  async (environment, { seconds, warmUpSeconds, profile }, reference) => {
    await environment.load({ records: false });
    const own = reference.ownEngines ? await ownEnvironment(environment, reference) : undefined;
    const next = requests(environment.world);
    const api = await startApi(environment, { profile });
    const ours = apiTarget(environment, api, list, next);
    const theirs = await anotherApi(
      own ?? environmentAt(environment, reference),
      `API at ${reference.name}`,
      list,
      next,
      { profile: profile && join(profile, reference.name) },
    );
    const turns = Math.max(2, Math.round(seconds / TURN_SECONDS));
    const slices = { turns, seconds: TURN_SECONDS, warmUpSeconds };
    const measured = await fromEach(connections, [ours, theirs.target], slices);
    await Promise.all([api.process.stop(), theirs.stop()]);
    await own?.close();

    const ratios = measured.map(({ connections: from, samples }) => {
      const [mine, other] = samples.map((sample) => figuresOf(sample).per_second) as [number, number];
      return { connections: from, ratio: mine / other };
    });
    const goals = ratios.map((each) =>
      goalAgainst(`requests/s from ${each.connections} connections`, reference, each.ratio),
    );
    const samples = measured.flatMap((each) => each.samples);
    return {
      ratio: ratios[0]!.ratio,
      figures: { ratios, targets: samplesFigures(samples) },
      table: samplesTable(samples),
      goals,
    };
  };
