import { type Benchmark, goal, goalAgainst } from "../benchmark.ts";
import { fromFewAndMany } from "../load/interleaved.ts";
import { figuresOf } from "../load/sample.ts";
import { fundingRequests } from "../requests/funding.ts";
import { answersOf, meanSize, repeated } from "../requests/repeated.ts";
import { apiTarget, engineTarget, referenceTargets, withoutFrontTargets } from "../requests/targets.ts";
import { samplesFigures, samplesTable } from "../report/samples.ts";
import { startBaseline } from "../baseline/baseline.ts";
import { startApi } from "../environment/api.ts";

const TURN_SECONDS = 3;
/** A cache that is worth less is not worth its code. */
const WORTH = 1.1;

export const searchHot: Benchmark = {
  name: "search-hot",
  about:
    "200 funding pages asked for again and again, against Elasticsearch alone, and against Koa with one Redis script",
  comparesCommits: true,
  measuresFrontCache: true,
  async run(environment, options) {
    await environment.load({ records: false });
    const api = await startApi(environment, { profile: options.profile });
    const { all, draw, next } = repeated(fundingRequests(environment.world, 1));
    const ours = apiTarget(environment, api, "funding", next);
    const answers = await answersOf(
      all.map((query) => `${api.origin}/api/v1/funding?${query}`),
      ours.headers,
    );
    const baseline = await startBaseline(environment, { answers, draw });
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
      figures: { ratios, body_bytes: meanSize(answers), targets: samplesFigures(samples) },
      table: samplesTable(samples),
      goals,
    };
  },
};
