import { type Benchmark, goal, goalAgainst } from "../benchmark.ts";
import { createRandom, zipf } from "../data/random.ts";
import type { World } from "../data/world.ts";
import { fromFewAndMany } from "../load/interleaved.ts";
import { figuresOf } from "../load/sample.ts";
import { take } from "../requests/draws.ts";
import { fundingRequests } from "../requests/funding.ts";
import { apiTarget, engineTarget, referenceTargets, withoutFrontTargets } from "../requests/targets.ts";
import { samplesFigures, samplesTable } from "../report/samples.ts";
import { startBaseline } from "../baseline/baseline.ts";
import { startApi } from "../environment/api.ts";

const TURN_SECONDS = 3;
const HOT_REQUESTS = 200;
/** A cache that is worth less is not worth its code. */
const WORTH = 1.1;

/** A draw, by a long tail, from 200 requests. */
export function hotRequests(world: World, seed: number): { all: string[]; next: () => string } {
  const all = take(HOT_REQUESTS, fundingRequests(world, seed));
  const rankOf = zipf(HOT_REQUESTS);
  const random = createRandom(seed);
  return { all, next: () => all[rankOf(random)]! };
}

export const searchHot: Benchmark = {
  name: "search-hot",
  about:
    "200 funding pages asked for again and again, against Elasticsearch alone, and against Koa with one Redis script",
  comparesCommits: true,
  measuresFrontCache: true,
  async run(environment, options) {
    await environment.load({ records: false });
    const api = await startApi(environment, { profile: options.profile });
    const { all, next } = hotRequests(environment.world, 1);
    const ours = apiTarget(environment, api, "funding", next);
    const body = await middleBody(
      all.map((query) => `${api.origin}/api/v1/funding?${query}`),
      ours.headers,
    );
    const baseline = await startBaseline(environment, body);
    const reference = await referenceTargets(environment, options, "funding", next);
    const unfronted = await withoutFrontTargets(environment, options, "funding", next);
    const targets = [
      ours,
      engineTarget(environment, "funding", next),
      baseline.target,
      ...reference.targets,
      ...unfronted.targets,
    ];
    const turns = Math.max(2, Math.round(options.seconds / TURN_SECONDS));
    const { warmUpSeconds } = options;
    const measured = await fromFewAndMany(targets, { turns, seconds: TURN_SECONDS, warmUpSeconds });
    await Promise.all([api.process.stop(), baseline.process.stop(), reference.stop(), unfronted.stop()]);

    const ratios = measured.map(({ connections, samples }) => {
      const [hot, engine, koa, ...others] = samples.map((sample) => figuresOf(sample).per_second);
      const before = reference.targets.length > 0 ? hot! / others[0]! : undefined;
      const front = unfronted.targets.length > 0 ? hot! / others.at(-1)! : undefined;
      return { connections, engine: hot! / engine!, koa: hot! / koa!, before, front };
    });
    const goals = ratios.flatMap(({ connections, engine, koa, before, front }) => [
      goal(`requests/s against Elasticsearch alone, ${connections} connections,`, engine, { least: 15 }),
      goal(`requests/s against Koa with one Redis script, ${connections} connections,`, koa, { least: 0.8 }),
      ...(before ? [goalAgainst(`requests/s from ${connections} connections`, options.against!, before)] : []),
      ...(front
        ? [goal(`requests/s against the API without front cache, ${connections} connections,`, front, { least: WORTH })]
        : []),
    ]);
    const samples = measured.flatMap((each) => each.samples);
    return {
      ok: goals.every(({ met }) => met),
      ratio: ratios[0]!.engine,
      figures: { ratios, body_bytes: body.length, targets: samplesFigures(samples) },
      table: samplesTable(samples),
      goals,
    };
  },
};

/** The baseline sends as many bytes as the API does. */
export async function middleBody(addresses: readonly string[], headers: Record<string, string>): Promise<Uint8Array> {
  const bodies: Uint8Array[] = [];
  for (const address of addresses)
    bodies.push(
      new Uint8Array(
        await (await fetch(address, { headers: { ...headers, "accept-encoding": "identity" } })).arrayBuffer(),
      ),
    );
  return bodies.toSorted((a, b) => a.length - b.length)[bodies.length >> 1]!;
}
