import { type Benchmark, goal } from "../benchmark.ts";
import { FEW_AND_MANY, fromEach } from "../load/interleaved.ts";
import { figuresOf } from "../load/sample.ts";
import { fundingRequests } from "../requests/funding.ts";
import { answersOf, meanSize, repeated } from "../requests/repeated.ts";
import { apiTarget, engineTarget, withoutFrontTargets } from "../requests/targets.ts";
import { samplesFigures, samplesTable } from "../report/samples.ts";
import { startBaseline } from "../baseline/baseline.ts";
import { startApi } from "../environment/api.ts";
import { compareApis } from "./compare-apis.ts";

const TURN_SECONDS = 3;
/** A cache that is worth less is not worth its code. */
const WORTH = 1.1;

export const searchHot: Benchmark = {
  name: "search-hot",
  about:
    "200 funding pages asked for again and again, against Elasticsearch alone, and against Koa with one Redis script",
  comparesOwnEngines: true,
  compare: compareApis("funding", FEW_AND_MANY, (world) => repeated(fundingRequests(world, 1)).next),
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
    const unfronted = await withoutFrontTargets(environment, options, "funding", next);
    const targets = [ours, engineTarget(environment, "funding", next), baseline.target, ...unfronted.targets];
    const turns = Math.max(2, Math.round(options.seconds / TURN_SECONDS));
    const { warmUpSeconds } = options;
    const measured = await fromEach(FEW_AND_MANY, targets, { turns, seconds: TURN_SECONDS, warmUpSeconds });
    await Promise.all([baseline.process.stop(), unfronted.stop()]);
    await api.process.stop();

    const ratios = measured.map(({ connections, samples }) => {
      const [hot, engine, koa, without] = samples.map((sample) => figuresOf(sample).per_second);
      return { connections, engine: hot! / engine!, koa: hot! / koa!, front: without && hot! / without };
    });
    const goals = ratios.flatMap(({ connections, engine, koa, front }) => [
      goal(`requests/s against Elasticsearch alone, ${connections} connections,`, engine, { least: 15 }),
      goal(`requests/s against Koa with one Redis script, ${connections} connections,`, koa, { least: 0.8 }),
      ...(front
        ? [goal(`requests/s against the API without front cache, ${connections} connections,`, front, { least: WORTH })]
        : []),
    ]);
    const samples = measured.flatMap((each) => each.samples);
    return {
      ratio: ratios[0]!.engine,
      figures: {
        ratios,
        body_bytes: meanSize(answers),
        targets: samplesFigures(samples),
      },
      table: samplesTable(samples),
      goals,
    };
  },
};
