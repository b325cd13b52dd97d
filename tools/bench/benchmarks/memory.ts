import { type Benchmark, goal } from "../benchmark.ts";
import { closedLoad } from "../load/closed.ts";
import { createSample } from "../load/sample.ts";
import { fundingRequests } from "../requests/funding.ts";
import { repeated } from "../requests/repeated.ts";
import { apiTarget } from "../requests/targets.ts";
import { startApi } from "../environment/api.ts";
import { startIndexer } from "../environment/indexer.ts";
import { usageOf } from "../environment/processes.ts";
import { untilMerged } from "../environment/segments.ts";
import { rebuild } from "../writes/rebuild.ts";

const CONNECTIONS = 8;
const LOOKS = 60;

/** Resident memory of one API process under search-hot, and of the indexer through a rebuild. The goal is about 600 seconds. */
export const memory: Benchmark = {
  name: "memory",
  about:
    "memory of an API process under search-hot (--seconds 600 for the real thing) and of the indexer through a rebuild",
  async run(environment, options) {
    await environment.load({ records: true });
    const api = await startApi(environment);
    const target = apiTarget(environment, api, "funding", repeated(fundingRequests(environment.world, 1)).next);
    const sample = createSample("API");
    const seen: number[] = [];
    for (let look = 0; look < LOOKS; look++) {
      await closedLoad(target, sample, { connections: CONNECTIONS, seconds: options.seconds / LOOKS });
      seen.push((await usageOf(api.process.pid)).memoryMiB);
    }
    if (sample.failures.length > 0) throw new Error(sample.failures[0]);
    await api.process.stop();

    const indexer = await startIndexer(environment);
    const { peakMiB } = await rebuild(environment, indexer);
    // An engine that is stopped before leaves the indices in many segments, for the benchmarks that come next.
    await untilMerged(environment.client);
    await indexer.stop();

    const peak = Math.max(...seen);
    const third = LOOKS / 3;
    const growth = mean(seen.slice(2 * third)) / mean(seen.slice(third, 2 * third));
    const goals = [
      goal("MiB of an API process, at its peak,", peak, { most: 250 }),
      goal("last third of the time against the second", growth, { most: 1.05 }),
      goal("MiB of the indexer, at its peak,", peakMiB, { most: 400 }),
    ];
    return {
      ratio: peak / 250,
      figures: { requests: sample.requests, api_mib: seen.map(Math.round), growth, indexer_peak_mib: peakMiB },
      table: {
        head: ["process", "first third MiB", "second", "last", "peak"],
        rows: [
          ["API", ...[0, 1, 2].map((i) => Math.round(mean(seen.slice(i * third, (i + 1) * third)))), Math.round(peak)],
          ["indexer", "", "", "", Math.round(peakMiB)],
        ],
      },
      goals,
    };
  },
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
