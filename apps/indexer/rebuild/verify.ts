import { drawnAtRandom } from "@tranche/shared/engines/search/id-ranges";
import { setTimeout as pause } from "node:timers/promises";
import type { Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { READ_MODELS, type ReadModel } from "@tranche/shared/engines/search/index-names";
import { retryForever, wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import type { Difference } from "@tranche/shared/protocol/rebuild/verification";
import { deriveDue } from "../pipeline/due.ts";
import { allDifferences, type Compared, differences } from "./verify-documents.ts";
import type { RebuildParts } from "./parts.ts";
import { refreshed } from "@tranche/shared/engines/search/refreshed";

const SAMPLE_SIZE = 500;
const TRIES = 20;
/** Unfinished batches may have written this many documents to the new index and not yet to the live one. */
const MAX_UNFINISHED = 5000;

/**
 * Verifies the new indices: each has as many documents as the live one (otherwise all its documents are compared with the records),
 * and a sample of its documents equals a fresh derivation. Writes continue meanwhile, so only a lasting difference counts. Returns the
 * problem, or undefined.
 */
export async function verifyCopy(parts: RebuildParts, rebuild: Rebuild): Promise<string | undefined> {
  await refreshed(parts.client, Object.values(rebuild.indices));
  // Midnight may have passed since the first pages were copied.
  await deriveDue(parts);
  const problems = await Promise.all(READ_MODELS.map((model) => verifyIndex(parts, rebuild, model)));
  return problems.find((problem) => problem !== undefined);
}

async function verifyIndex(parts: RebuildParts, { indices }: Rebuild, model: ReadModel): Promise<string | undefined> {
  const index = indices[model];
  const compared = { model, index, funding: indices.funding };
  const live = parts.names.role(model, "live");
  let [built, served] = [0, 0];
  for (let attempt = 1; ; attempt++) {
    await refreshed(parts.client, index);
    [built, served] = await Promise.all([countShown(parts, index), countShown(parts, live)]);
    if (built === served) break;
    if (attempt < TRIES) await pause(parts.timing.rebuildCount);
    else if (Math.abs(built - served) <= MAX_UNFINISHED && (await isWritten(parts, model, served))) break;
    else {
      // The records decide which of the two is wrong: a rebuild also repairs a live index.
      const counts = `the new ${model} index has ${built} documents, the live one ${served}`;
      const wrong = await firstDifference(parts, compared);
      if (wrong) return `${counts}; for example, ${wrong.id} is ${wrong.kind} in the new one`;
      parts.log.warn({ built, served }, `${counts}; the records show that the new one is right`);
      break;
    }
  }
  const ids = await sampleIds(parts, index);
  const differing = await differences(parts, compared, ids);
  if (differing.length === 0) return undefined;
  return `${differing.length} of ${ids.length} sampled ${model} documents differ from a fresh derivation, for example ${differing[0]!.id}`;
}

async function firstDifference(parts: RebuildParts, compared: Compared): Promise<Difference | undefined> {
  for await (const [first] of allDifferences(parts, compared)) if (first) return first;
  return undefined;
}

/** Whether the live index is being written to: a batch begins within the pause. Its count changes then, so the counts need not be equal. */
async function isWritten(parts: RebuildParts, model: ReadModel, before: number): Promise<boolean> {
  await pause(parts.timing.ingestBatch);
  return (await countShown(parts, parts.names.role(model, "live"))) !== before;
}

async function countShown(parts: RebuildParts, index: string): Promise<number> {
  const query = { bool: { must_not: { term: { gone: true } } } };
  return (await retryForever(async () => wholeAnswer(await parts.client.count({ index, query })))).count;
}

async function sampleIds(parts: RebuildParts, index: string): Promise<string[]> {
  const answer = await retryForever(async () =>
    wholeAnswer(
      await parts.client.search({
        index,
        size: SAMPLE_SIZE,
        _source: false,
        query: drawnAtRandom({ bool: { must_not: { term: { gone: true } } } }),
      }),
    ),
  );
  return answer.hits.hits.map((hit) => hit._id!);
}
