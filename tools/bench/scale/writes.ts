import { setTimeout as pause } from "node:timers/promises";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { JOB_FORMATS } from "@tranche/shared/protocol/queue/formats";
import { JOB_OPTIONS, QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { Verification } from "@tranche/shared/protocol/rebuild/verification";
import { Job } from "bullmq";
import type { Api } from "../environment/api.ts";
import type { Environment } from "../environment/environment.ts";
import type { Indexer } from "../environment/indexer.ts";
import { untilMerged } from "../environment/segments.ts";
import { createSample, figuresOf } from "../load/sample.ts";
import { take } from "../requests/draws.ts";
import { measureFreshness } from "../writes/freshness.ts";
import { rebuild } from "../writes/rebuild.ts";
import { write } from "../writes/steadily.ts";
import { writtenAgain } from "../writes/written.ts";
import { steadyReads } from "./reads.ts";
import type { Figure, Figures } from "./figures.ts";

const WRITES = 12;
const AGAIN = 20_000;
/** Figures of the same requests, which are compared. */
export const P99_ALONE = "/funding, new filters, p99 alone";
export const P99_BESIDE = "/funding, new filters, p99 beside a rebuild";
const ALONE_MS = 40_000;
const VERIFIED_SECONDS = 120;
const LOOK_EVERY_MS = 200;

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
  const alone = await p99Of(environment, api, during(ALONE_MS));
  let isRebuilding = true;
  const [rebuilt, beside] = await Promise.all([
    rebuild(environment, indexer).finally(() => (isRebuilding = false)),
    p99Of(environment, api, () => isRebuilding),
  ]);
  await untilMerged(environment.client);
  return {
    "one write until it is searchable": { value: figuresOf(sample).p50_ms, unit: "ms", bound: { most: 2 } },
    "records written again": { value: perSecond, unit: "records/s", bound: { least: 0.9 } },
    rebuild: { value: rebuilt.documents / rebuilt.seconds, unit: "documents/s", bound: { least: 0.9 } },
    [P99_ALONE]: alone,
    [P99_BESIDE]: beside,
    "indexer, memory": { value: rebuilt.peakMiB, unit: "MiB", bound: { most: 1.3 } },
    "ops verify": await verifyRate(environment, indexer),
  };
}

async function p99Of(environment: Environment, api: Api, wanted: () => boolean): Promise<Figure> {
  return { value: figuresOf(await steadyReads(environment, api, wanted)).p99_ms, unit: "ms" };
}

function during(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() < end;
}

/**
 * Documents that a verification compares per second, to its end or as far as it comes in a while: all of millions would take an hour.
 * Throws when a document differs.
 */
async function verifyRate({ client, names, log }: Environment, indexer: Indexer): Promise<Figure> {
  const queues = { verify: indexer.queue(QUEUES.verify), slices: indexer.queue(QUEUES.copy) };
  const { count } = await client.count({ index: READ_MODELS.map((model) => names.role(model, "live")) });
  const data = { format: JOB_FORMATS.verify, repair: false };
  const { id } = await queues.verify.add("verify", data, JOB_OPTIONS);
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  for (;;) {
    await pause(LOOK_EVERY_MS);
    const job = await Job.fromId<unknown, Verification>(queues.verify, id!);
    if (job?.failedReason) throw new Error(`The verification failed: ${job.failedReason}`);
    if (job?.finishedOn) {
      const { compared, differing, differences } = job.returnvalue;
      if (differing > 0)
        throw new Error(`${differing} documents differ from their records: ${JSON.stringify(differences)}`);
      return { value: compared / seconds(), unit: "documents/s" };
    }
    if (seconds() < VERIFIED_SECONDS) continue;
    const compared = Number(job?.progress ?? 0) * count;
    log(`compared ${Math.round(compared)} documents with their records, and ends there`);
    for (const queue of Object.values(queues)) await queue.obliterate({ force: true });
    return { value: compared / seconds(), unit: "documents/s" };
  }
}
