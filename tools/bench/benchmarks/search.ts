import { type Benchmark, goal } from "../benchmark.ts";
import { startApi } from "../environment/api.ts";
import { processMeter } from "../environment/meters.ts";
import type { Target } from "../load/exchange.ts";
import { interleaved } from "../load/interleaved.ts";
import { figuresOf } from "../load/sample.ts";
import { samplesFigures, samplesTable } from "../report/samples.ts";
import { NAMES_IN_ANSWER, nameSearches, typedNames } from "../requests/names.ts";
import { engineTarget } from "../requests/targets.ts";

const CONNECTIONS = 8;
const TURN_SECONDS = 3;

/** The search by name against its searches sent to Elasticsearch alone. */
export const search: Benchmark = {
  name: "search",
  about: "companies by names as people type them, against the same searches sent to Elasticsearch alone",
  async run(environment, options) {
    await environment.load({ records: false });
    const api = await startApi(environment, { profile: options.profile });
    const typed = typedNames(environment.world, Date.now() % 1_000_000);
    const ours: Target = {
      name: "API",
      origin: api.origin,
      headers: { authorization: `Bearer ${api.key}` },
      next() {
        const { q } = typed.next().value;
        const path = `/api/v1/search?types=company&limit=${NAMES_IN_ANSWER}&q=${encodeURIComponent(q)}`;
        return { method: "GET", path };
      },
      meters: {
        API: processMeter(api.process.pid),
        Redis: environment.meters.redis,
        ES: environment.meters.elasticsearch,
      },
    };
    const engine = engineTarget(environment, "signals", () => "");
    // One after another, as the API makes them.
    const path = `/${environment.names.role("companies", "live")}/_msearch?max_concurrent_searches=1`;
    const theirs: Target = {
      ...engine,
      headers: { ...engine.headers, "content-type": "application/x-ndjson" },
      next: () => ({ method: "POST", path, body: nameSearches(typed.next().value) }),
    };
    const turns = Math.max(2, Math.round(options.seconds / TURN_SECONDS));
    const { warmUpSeconds } = options;
    const slices = { turns, seconds: TURN_SECONDS, connections: CONNECTIONS, warmUpSeconds };
    const samples = await interleaved([ours, theirs], slices);
    await api.process.stop();
    const failure = samples.flatMap(({ failures }) => failures)[0];
    if (failure !== undefined) throw new Error(failure);

    const [of, bare] = samples.map(figuresOf) as [ReturnType<typeof figuresOf>, ReturnType<typeof figuresOf>];
    const ratio = of.per_second / bare.per_second;
    const tail = of.p99_ms / bare.p99_ms;
    const goals = [
      goal("requests/s against Elasticsearch alone", ratio, { least: 0.8 }),
      goal("p99 against Elasticsearch alone", tail, { most: 1.5 }),
    ];
    return {
      ratio,
      figures: { p99_ratio: tail, samples: samplesFigures(samples) },
      table: samplesTable(samples),
      goals,
    };
  },
};
