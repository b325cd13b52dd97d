import { setTimeout as pause } from "node:timers/promises";
import type { Rebuild } from "@tranche/shared/rebuild/state";
import { READ_MODELS, type ReadModel } from "@tranche/shared/search/index-names";
import { retryForever, wholeAnswer } from "@tranche/shared/search/retry-forever";
import type { Difference } from "@tranche/shared/verify/verification";
import { deriveDue } from "../pipeline/due.ts";
import { allDifferences, differences } from "../verify/verify.ts";
import type { RebuildParts } from "./parts.ts";

const SAMPLE_SIZE = 500;
const TRIES = 20;
/** Documents that batches under way may have written to the new index and not yet to the live one. */
const UNDER_WAY = 5000;

/**
 * Compares the new indices with the live ones: as many documents (where not, all of the new ones are compared with the records),
 * and a sample of them equal to a fresh derivation.
 * Writes go on meanwhile, so a difference counts only when it stays. Returns what is wrong, or undefined.
 */
export async function checkCopy(parts: RebuildParts, rebuild: Rebuild): Promise<string | undefined> {
  await retryForever(() => parts.client.indices.refresh({ index: Object.values(rebuild.indices) }));
  // Midnight may have passed since the first pages were copied.
  await deriveDue(parts);
  for (const model of READ_MODELS) {
    const index = rebuild.indices[model];
    const live = parts.names.role(model, "live");
    let [built, served] = [0, 0];
    for (let attempt = 1; ; attempt++) {
      await retryForever(() => parts.client.indices.refresh({ index }));
      [built, served] = await Promise.all([countShown(parts, index), countShown(parts, live)]);
      if (built === served) break;
      if (attempt < TRIES) await pause(250);
      else if (Math.abs(built - served) <= UNDER_WAY && (await isWritten(parts, model, served))) break;
      else {
        // One of the two is wrong, and the records say which: a rebuild is also what mends a live index.
        const counts = `the new ${model} index has ${built} documents, the live one ${served}`;
        const wrong = await firstDifference(parts, model, index);
        if (wrong) return `${counts}; ${wrong.id} is ${wrong.kind} in the new one, for one`;
        parts.log.warn({ built, served }, `${counts}; the records say that the new one is right`);
        break;
      }
    }
    const ids = await sampleIds(parts, index);
    const differing = await differences(parts, model, index, ids);
    if (differing.length > 0) {
      return `${differing.length} of ${ids.length} sampled ${model} documents differ from a fresh derivation, ${differing[0]!.id} for one`;
    }
  }
  return undefined;
}

async function firstDifference(parts: RebuildParts, model: ReadModel, index: string): Promise<Difference | undefined> {
  for await (const { found } of allDifferences(parts, model, index)) if (found.length > 0) return found[0];
  return undefined;
}

/** Whether the live index is being written to: its count moved, so that equal counts can't be asked for. */
async function isWritten(parts: RebuildParts, model: ReadModel, before: number): Promise<boolean> {
  await pause(1000);
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
        query: {
          function_score: {
            query: { bool: { must_not: { term: { gone: true } } } },
            functions: [{ random_score: {} }],
          },
        },
      }),
    ),
  );
  return answer.hits.hits.map((hit) => hit._id!);
}
