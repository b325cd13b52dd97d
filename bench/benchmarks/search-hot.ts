import { type Benchmark, goal, goalAgainst } from "../benchmark.ts";
import { createRandom, zipf } from "../data/random.ts";
import type { World } from "../data/world.ts";
import { fromFewAndMany } from "../load/interleaved.ts";
import { figuresOf } from "../load/sample.ts";
import { take } from "../requests/draws.ts";
import { fundingRequests } from "../requests/funding.ts";
import { apiTarget, engineTarget, referenceTargets } from "../requests/targets.ts";
import { sidesFigures, sidesTable } from "../report/sides.ts";
import { startRival } from "../rival/rival.ts";
import { startApi } from "../stage/api.ts";

const TURN_SECONDS = 3;
const HOT_REQUESTS = 200;

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
  async run(stage, options) {
    await stage.load({ records: false });
    const api = await startApi(stage, { profile: options.profile });
    const { all, next } = hotRequests(stage.world, 1);
    const ours = apiTarget(stage, api, "funding", next);
    const body = await bodyOfMiddleLength(
      all.map((query) => `${api.origin}/api/v1/funding?${query}`),
      ours.headers,
    );
    const rival = await startRival(stage, body);
    const reference = await referenceTargets(stage, options, "funding", next);
    const targets = [ours, engineTarget(stage, "funding", next), rival.target, ...reference.targets];
    const turns = Math.max(2, Math.round(options.seconds / TURN_SECONDS));
    const { warmUpSeconds } = options;
    const measured = await fromFewAndMany(targets, { turns, seconds: TURN_SECONDS, warmUpSeconds });
    await Promise.all([api.process.stop(), rival.process.stop(), reference.stop()]);

    const ratios = measured.map(({ connections, samples }) => {
      const [hot, engine, koa, before] = samples.map((sample) => figuresOf(sample).per_second);
      return { connections, engine: hot! / engine!, koa: hot! / koa!, before: before && hot! / before };
    });
    const goals = ratios.flatMap(({ connections, engine, koa, before }) => [
      goal(`requests/s against Elasticsearch alone, ${connections} connections,`, engine, { least: 15 }),
      goal(`requests/s against Koa with one Redis script, ${connections} connections,`, koa, { least: 0.8 }),
      ...(before ? [goalAgainst(`requests/s from ${connections} connections`, options.against!, before)] : []),
    ]);
    const samples = measured.flatMap((each) => each.samples);
    return {
      ok: goals.every(({ met }) => met),
      ratio: ratios[0]!.engine,
      figures: { ratios, body_bytes: body.length, sides: sidesFigures(samples) },
      table: sidesTable(samples),
      goals,
    };
  },
};

/** The rival is to send as many bytes as the API does. */
async function bodyOfMiddleLength(addresses: readonly string[], headers: Record<string, string>): Promise<Uint8Array> {
  const bodies: Uint8Array[] = [];
  for (const address of addresses)
    bodies.push(
      new Uint8Array(
        await (await fetch(address, { headers: { ...headers, "accept-encoding": "identity" } })).arrayBuffer(),
      ),
    );
  return bodies.toSorted((a, b) => a.length - b.length)[bodies.length >> 1]!;
}
