import { availableParallelism } from "node:os";
import { type Benchmark, goal } from "../benchmark.ts";
import { cpuSince, processMeter, readMeters } from "../stage/meters.ts";
import { shownCpu } from "../report/sides.ts";
import { startIndexer } from "../stage/indexer.ts";
import { writeFinished } from "../writes/finished.ts";
import { rebuild } from "../writes/rebuild.ts";

/** A rebuild of everything against what Elasticsearch takes at best. Its length comes from the size, not from `--seconds`; with `--warm-up`, one more before. */
export const reindex: Benchmark = {
  name: "reindex",
  about: "rounds and companies rebuilt from their records, against bulks of the same documents when they are finished",
  async run(stage, options) {
    await stage.load({ records: true });
    const indexer = await startIndexer(stage, { profile: options.profile });
    // Indexer and engine compile what they do often while they do it: in the first minute that takes more than the work itself.
    if (options.warmUpSeconds > 0) await rebuild(stage, indexer);
    // Bulks before and after, so that what else the machine does hits both sides alike.
    const engine = { ES: stage.meters.elasticsearch };
    const atFirst = await readMeters(engine);
    const first = await writeFinished(stage);
    const bulkCpu = await cpuSince(atFirst, engine, first.documents);
    const meters = { Indexer: processMeter(indexer.process.pid), ES: stage.meters.elasticsearch };
    const before = await readMeters(meters);
    const ours = await rebuild(stage, indexer);
    const cpu = await cpuSince(before, meters, ours.documents);
    const second = await writeFinished(stage);
    await indexer.stop();

    const bulks = { documents: first.documents + second.documents, seconds: first.seconds + second.seconds };
    const perSecond = ours.documents / ours.seconds;
    const bulkPerSecond = bulks.documents / bulks.seconds;
    const ratio = perSecond / bulkPerSecond;
    // What stops it: the work of a rebuild on these cores, if none of them ever had nothing to do.
    const busyPerSecond = (availableParallelism() * 1_000_000) / Object.values(cpu).reduce((sum, us) => sum + us, 0);
    const goals = [
      goal("documents/s against bulks of finished documents", ratio, { least: 0.7 }),
      goal("MiB of the indexer, at its peak,", ours.peakMiB, { most: 400 }),
    ];
    const rounded = (value: number) => Math.round(value * 10) / 10;
    return {
      ok: goals.every(({ met }) => met),
      ratio,
      figures: {
        rebuild: { ...ours, per_second: perSecond, cpu_us: cpu },
        bulks: [first, second],
        bulk_cpu_us: bulkCpu,
        busy_ratio: busyPerSecond / bulkPerSecond,
      },
      table: {
        head: ["side", "documents", "seconds", "documents/s", "peak MiB", "CPU µs/document"],
        rows: [
          [
            "rebuild",
            ours.documents,
            rounded(ours.seconds),
            Math.round(perSecond),
            Math.round(ours.peakMiB),
            shownCpu(cpu),
          ],
          ["rebuild, if no core were ever idle", "", "", Math.round(busyPerSecond), "", ""],
          ["bulks, twice", bulks.documents, rounded(bulks.seconds), Math.round(bulkPerSecond), "", shownCpu(bulkCpu)],
        ],
      },
      goals,
    };
  },
};
