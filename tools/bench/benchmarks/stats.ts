import { type Benchmark, goal } from "../benchmark.ts";
import { startBaseline } from "../baseline/baseline.ts";
import { startApi } from "../environment/api.ts";
import type { Exchange, Target } from "../load/exchange.ts";
import { closedLoad } from "../load/closed.ts";
import { FEW_AND_MANY, fromEach, interleaved, warmUpTurns } from "../load/interleaved.ts";
import { figuresOf } from "../load/sample.ts";
import { take } from "../requests/draws.ts";
import { answersOf, meanSize, repeated } from "../requests/repeated.ts";
import { statsRequests } from "../requests/stats.ts";
import { statsSearches } from "../requests/stats-searches.ts";
import { apiTarget, engineTarget } from "../requests/targets.ts";
import { samplesFigures, samplesTable } from "../report/samples.ts";

const TURN_SECONDS = 3;
/** An account may have as many statistics running or waiting at once. */
const CONNECTIONS = 4;
/** Requests of a turn that both sides are sent: some cost a hundred times as much as others. */
const NEW_REQUESTS = 40;

/** Statistics of rounds: new requests, and repeated ones. */
export const stats: Benchmark = {
  name: "stats",
  about:
    "statistics of filtered rounds: new ones against the same aggregations by a bare client, repeated ones against Koa with one Redis script",
  async run(environment, options) {
    await environment.load({ records: false });
    const api = await startApi(environment, { profile: options.profile });
    const path = (query: string) => `/api/v1/funding/stats?${query}`;
    const asking = (next: () => string): Target => ({
      ...apiTarget(environment, api, "funding", next),
      next: () => ({ method: "GET", path: path(next()) }),
    });

    const turns = Math.max(2, Math.round(options.seconds / TURN_SECONDS));
    const slices = { turns, seconds: TURN_SECONDS, warmUpSeconds: options.warmUpSeconds };
    const queries = take(
      (warmUpTurns(slices) + turns) * NEW_REQUESTS,
      statsRequests(environment.world, Date.now() % 1_000_000),
    );
    const recorded: Exchange[][] = [];
    for (const query of queries) recorded.push(await statsSearches(environment, query));
    const bare: Target = {
      ...engineTarget(environment, "funding", () => ""),
      name: "the same aggregations, bare",
      next() {
        const [first, ...following] = recorded.shift()!;
        return { ...first!, following };
      },
    };
    const cold = await interleaved([asking(() => queries.shift()!), bare], {
      ...slices,
      connections: CONNECTIONS,
      load: (target, sample) => closedLoad(target, sample, { connections: CONNECTIONS, requests: NEW_REQUESTS }),
    });

    const { all, draw, next } = repeated(statsRequests(environment.world, 1));
    const ours = asking(next);
    const answers = await answersOf(
      all.map((query) => `${api.origin}${path(query)}`),
      ours.headers,
    );
    const baseline = await startBaseline(environment, { answers, draw });
    const hot = await fromEach(FEW_AND_MANY, [ours, baseline.target], slices);
    await Promise.all([api.process.stop(), baseline.process.stop()]);

    const perSecond = (sample: (typeof cold)[number]) => figuresOf(sample).per_second;
    const coldRatio = perSecond(cold[0]!) / perSecond(cold[1]!);
    const hotRatios = hot.map(({ connections, samples }) => ({
      connections,
      koa: perSecond(samples[0]!) / perSecond(samples[1]!),
    }));
    const goals = [
      goal("new requests/s against the same aggregations by a bare client", coldRatio, { least: 0.9 }),
      ...hotRatios.map(({ connections, koa }) =>
        goal(`repeated requests/s against Koa with one Redis script, ${connections} connections,`, koa, { least: 0.8 }),
      ),
    ];
    const samples = [...cold, ...hot.flatMap((each) => each.samples)];
    return {
      ratio: coldRatio,
      figures: { hot: hotRatios, body_bytes: meanSize(answers), targets: samplesFigures(samples) },
      table: samplesTable(samples),
      goals,
    };
  },
};
