import { setTimeout as pause } from "node:timers/promises";
import type { Api } from "../environment/api.ts";
import type { Environment } from "../environment/environment.ts";
import type { Indexer } from "../environment/indexer.ts";
import { runOps } from "../environment/ops.ts";
import { untilMerged } from "../environment/segments.ts";
import { createSample, figuresOf } from "../load/sample.ts";
import { take } from "../requests/draws.ts";
import { measureFreshness } from "../writes/freshness.ts";
import { rebuild } from "../writes/rebuild.ts";
import { write } from "../writes/steadily.ts";
import { writtenAgain } from "../writes/written.ts";
import type { Figure, Figures } from "./figures.ts";

const WRITES = 12;
const AGAIN = 20_000;

/** How long one write and many take, a rebuild, and a comparison of all documents with their records. */
export async function writeFigures(
  environment: Environment,
  { api, indexer }: { api: Api; indexer: Indexer },
): Promise<Figures> {
  const { world } = environment;
  const sample = createSample("one write");
  for (let nth = 0; nth < WRITES; nth++) {
    await measureFreshness({ world, api, indexer }, sample, nth);
    await indexer.drained();
    // Writes that follow at once are combined.
    await pause(200);
  }
  const begun = performance.now();
  await write(indexer, take(AGAIN, writtenAgain(world, 1)));
  await indexer.drained();
  const perSecond = AGAIN / ((performance.now() - begun) / 1000);
  const rebuilt = await rebuild(environment, indexer);
  await untilMerged(environment.client);
  return {
    "one write until it is searchable": { value: figuresOf(sample).p50_ms, unit: "ms", bound: { most: 2 } },
    "records written again": { value: perSecond, unit: "records/s", bound: { least: 0.9 } },
    rebuild: { value: rebuilt.documents / rebuilt.seconds, unit: "documents/s", bound: { least: 0.9 } },
    "indexer, memory": { value: rebuilt.peakMiB, unit: "MiB", bound: { most: 1.3 } },
    "ops verify": await verifyRate(environment),
  };
}

/** `ops verify` from its start to its end. It fails when a document differs. */
async function verifyRate(environment: Environment): Promise<Figure> {
  const begun = performance.now();
  const { compared } = await runOps<{ compared: number }>(environment, "verify");
  return { value: compared / ((performance.now() - begun) / 1000), unit: "documents/s" };
}
