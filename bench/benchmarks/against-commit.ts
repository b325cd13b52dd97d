import { type Goal, goalAgainst, type Options } from "../benchmark.ts";
import type { Environment } from "../environment/environment.ts";
import { environmentAt, ownEnvironment } from "../environment/reference.ts";
import type { Target } from "../load/exchange.ts";
import { fromEach } from "../load/interleaved.ts";
import { figuresOf, type Sample } from "../load/sample.ts";
import { anotherApi, type ListName } from "../requests/targets.ts";

/** Short turns, and many: the speed of the machine changes within seconds. */
const TURN_SECONDS = 1;

type Compared = { samples: Sample[]; ratios: { connections: number; ratio: number }[]; goals: Goal[] };

/**
 * Compares this version's API with that of another commit, if there is one, from each number of connections. The two alone take turns:
 * with others in between, a commit against itself came out at 0.96 to 1.02. Called before anything else is measured, so that both begin cold.
 */
export async function againstCommit(
  environment: Environment,
  { against, seconds, warmUpSeconds }: Options,
  {
    list,
    ours,
    next,
    connections,
  }: { list: ListName; ours: Target; next: () => string; connections: readonly number[] },
): Promise<Compared> {
  if (!against) return { samples: [], ratios: [], goals: [] };
  const own = against.ownEngines ? await ownEnvironment(environment, against) : undefined;
  const theirs = await anotherApi(own ?? environmentAt(environment, against), `API at ${against.name}`, list, next);
  const turns = Math.max(2, Math.round(seconds / TURN_SECONDS));
  const measured = await fromEach(connections, [ours, theirs.target], { turns, seconds: TURN_SECONDS, warmUpSeconds });
  await theirs.stop();
  await own?.close();
  const ratios = measured.map(({ connections: from, samples }) => {
    const [mine, other] = samples.map((sample) => figuresOf(sample).per_second) as [number, number];
    return { connections: from, ratio: mine / other };
  });
  return {
    samples: measured.flatMap(({ samples }) => samples),
    ratios,
    goals: ratios.map(({ connections: from, ratio }) =>
      goalAgainst(`requests/s from ${from} connections`, against, ratio),
    ),
  };
}
