import { availableParallelism } from "node:os";
import { type Benchmark, goal, goalAgainst, type Options, type Outcome } from "../benchmark.ts";
import { shownCpu } from "../report/samples.ts";
import { startIndexer } from "../environment/indexer.ts";
import { type Meters, processMeter, readMeters } from "../environment/meters.ts";
import type { Reference } from "../environment/reference.ts";
import { bothVersions, speedRatio } from "../load/versions.ts";
import type { Environment } from "../environment/environment.ts";
import { untilMerged } from "../environment/segments.ts";
import { discardFinished, finishDocuments, writeFinished } from "../writes/finished.ts";
import { rebuild } from "../writes/rebuild.ts";

/** Rebuilds that count, of each commit. */
const COMPARED_TURNS = 2;

/**
 * A rebuild of everything against what Elasticsearch takes at best, twice each by turns. The length comes from the size, not from
 * `--seconds`; with `--warm-up`, each is done once more before.
 */
export const reindex: Benchmark = {
  name: "reindex",
  about: "rounds and companies rebuilt from their records, against bulks of the same documents when they are finished",
  compare,
  async run(environment, options) {
    await environment.load({ records: true });
    environment.log("making the finished documents");
    const pages = finishDocuments(environment);
    const indexer = await startIndexer(environment, { profile: options.profile });
    const engine = { ES: environment.meters.elasticsearch };
    const bare = { Client: processMeter(process.pid), ...engine };
    let [peakMiB, mergeSeconds] = [0, 0];

    const bulks = measured("bulks of finished documents", bare, () => writeFinished(environment, pages));
    const records = measured("the same, their records read before", bare, () =>
      writeFinished(environment, pages, { reading: true }),
    );
    const rebuilds = measured("rebuild", { Indexer: processMeter(indexer.process.pid), ...engine }, async () => {
      const rebuilt = await rebuild(environment, indexer);
      peakMiB = Math.max(peakMiB, rebuilt.peakMiB);
      return rebuilt;
    });
    const turn = async (...all: Measured[]) => {
      for (const { once } of all) {
        await once();
        const before = performance.now();
        await untilMerged(environment.client);
        mergeSeconds = Math.max(mergeSeconds, (performance.now() - before) / 1000);
      }
    };
    const all = [rebuilds, bulks, records];
    // Indexer and engine compile what they do often while they do it: in the first minute that takes more than the work itself.
    if (options.warmUpSeconds > 0) await turn(...all);
    for (const { reset } of all) reset();
    await turn(...all, ...all.toReversed());
    await indexer.stop();
    discardFinished(environment);

    const [ours, finished, reading] = all.map(({ found }) => found()) as [Found, Found, Found];
    const ratio = ours.per_second / finished.per_second;
    // What stops it: the work of a rebuild on these cores, if none of them ever had nothing to do.
    const busyPerSecond =
      (availableParallelism() * 1_000_000) / Object.values(ours.cpu_us).reduce((sum, us) => sum + us);
    const goals = [
      goal("documents/s against bulks of finished documents", ratio, { least: 0.7 }),
      goal("MiB of the indexer, at its peak,", peakMiB, { most: 400 }),
    ];
    return {
      ratio,
      figures: {
        rebuild: { ...ours, peak_mib: peakMiB, merge_seconds: mergeSeconds },
        bulks: finished,
        reading_and_bulks: reading,
        reading_ratio: reading.per_second / finished.per_second,
        busy_ratio: busyPerSecond / finished.per_second,
      },
      table: {
        head: ["target", "documents", "seconds", "documents/s", "peak MiB", "CPU µs/document"],
        rows: [
          row(rebuilds.name, ours, Math.round(peakMiB)),
          ["…, if no core were ever idle", "", "", Math.round(busyPerSecond), "", ""],
          ["…, merging once it is live", "", Math.round(mergeSeconds), "", "", ""],
          row(bulks.name, finished),
          row(records.name, reading),
        ],
      },
      goals,
    };
  },
};

/** How fast this version and another commit rebuild everything: twice each by turns, each after a rebuild to warm up. */
async function compare(environment: Environment, options: Options, reference: Reference): Promise<Outcome> {
  await environment.load({ records: true });
  const runs = await bothVersions(environment, reference, COMPARED_TURNS, async (version) => {
    const indexer = await startIndexer(version);
    if (options.warmUpSeconds > 0) await rebuild(version, indexer);
    const { documents, seconds } = await rebuild(version, indexer);
    await untilMerged(version.client);
    await indexer.stop();
    return { documents, seconds, per_second: documents / seconds };
  });
  const ratio = speedRatio(runs, ({ per_second }) => per_second);
  const goals = [goalAgainst("documents/s", reference, ratio)];
  return {
    ratio,
    figures: { runs },
    table: {
      head: ["version", "documents", "seconds", "documents/s"],
      rows: runs.map(({ version, found: { documents, seconds, per_second } }) => [
        version,
        documents,
        Math.round(seconds),
        Math.round(per_second),
      ]),
    },
    goals,
  };
}

type Written = { documents: number; seconds: number };
type Found = Written & { per_second: number; cpu_us: Record<string, number> };
type Measured = ReturnType<typeof measured>;

/** Something that writes all documents, and what it took altogether since `reset`. */
function measured(name: string, meters: Meters, write: () => Promise<Written>) {
  let [documents, seconds, cpuMs]: [number, number, Record<string, number>] = [0, 0, {}];
  return {
    name,
    once: async () => {
      const before = await readMeters(meters);
      const written = await write();
      const after = await readMeters(meters);
      documents += written.documents;
      seconds += written.seconds;
      for (const part in after) cpuMs[part] = (cpuMs[part] ?? 0) + after[part]! - before[part]!;
    },
    reset: () => {
      [documents, seconds, cpuMs] = [0, 0, {}];
    },
    found: (): Found => {
      const cpu = Object.entries(cpuMs).map(([part, ms]) => [part, Math.round((1000 * ms) / documents)]);
      return { documents, seconds, per_second: documents / seconds, cpu_us: Object.fromEntries(cpu) };
    },
  };
}

const row = (name: string, { documents, seconds, per_second, cpu_us }: Found, peakMiB: number | "" = "") => [
  name,
  documents,
  Math.round(seconds),
  Math.round(per_second),
  peakMiB,
  shownCpu(cpu_us),
];
