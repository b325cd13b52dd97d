import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { READ_MODELS, type ReadModel } from "@tranche/shared/search/index-names";
import { retryForever, wholeAnswer } from "@tranche/shared/search/retry-forever";
import { searchKeys } from "@tranche/shared/search/search-all";
import { type Difference, MAX_LISTED, type Verification } from "@tranche/shared/verify/verification";
import { deriveBatch } from "../pipeline/derive-batch.ts";
import { deriveDocuments } from "../pipeline/derive-documents.ts";
import { deriveInvestors, investorDocuments, readInvestorRecords } from "../pipeline/derive-investors.ts";
import { countOf, only, pagesOf } from "../pipeline/pages.ts";
import type { PipelineParts } from "../pipeline/parts.ts";
import type { Derived } from "../write/publish.ts";
import { withoutOtherVersions } from "./compared-fields.ts";

const PAGE_SIZE = 1000;
/** A document may be in the pipeline, so a difference counts only if it remains after these pauses. */
const PATIENCE_MS = [500, 1500, 3000];

/** Derives every document again and compares it with the live one. With `repair`, documents that differ are written again. */
export async function verify(
  parts: PipelineParts,
  options: { repair: boolean; onProgress: (done: number) => Promise<void> },
): Promise<Verification> {
  const total = (await Promise.all(READ_MODELS.map((model) => countOf(parts, model)))).reduce(
    (sum, count) => sum + count,
    0,
  );
  const result: Verification = { compared: 0, differing: 0, differences: [], repaired: 0 };
  for (const model of READ_MODELS) {
    const live = liveIndex(parts, model);
    const note = async (found: Difference[]) => {
      result.differing += found.length;
      result.differences.push(...found.slice(0, MAX_LISTED - result.differences.length));
      if (!options.repair || found.length === 0) return;
      const ids = found.map((difference) => difference.id);
      // Not `deriveDocuments` for investors, because that only notes them.
      await (model === "investors" ? deriveInvestors(parts, ids) : deriveDocuments(parts, only(model, ids)));
      result.repaired += found.length - (await compare(parts, live, ids)).length;
    };
    for await (const { ids, found } of allDifferences(parts, live)) {
      await note(found);
      result.compared += ids.length;
      await options.onProgress(result.compared / Math.max(1, total));
    }
  }
  return result;
}

/** An index that is compared. `funding`: the funding index that investors are counted from. */
export type Compared = { model: ReadModel; index: string; funding: string };

const liveIndex = ({ names }: PipelineParts, model: ReadModel): Compared => ({
  model,
  index: names.role(model, "live"),
  funding: names.role("funding", "live"),
});

/**
 * Compares an index with the records, page by page: first the documents of the records (`ids`: those of the page), then the documents
 * without a record.
 */
export async function* allDifferences(
  parts: PipelineParts,
  compared: Compared,
): AsyncGenerator<{ ids: string[]; found: Difference[] }> {
  for await (const ids of pagesOf(parts, compared.model, PAGE_SIZE)) {
    yield { ids, found: await differences(parts, compared, ids) };
  }
  for await (const orphans of withoutRecord(parts, compared)) {
    yield { ids: [], found: await differences(parts, compared, orphans) };
  }
}

/**
 * The documents that differ from a fresh derivation after all pauses. A noted investor is left out: it is about to be derived, and one
 * whose rounds change all the time would differ each time.
 */
export async function differences(
  parts: PipelineParts,
  compared: Compared,
  ids: readonly string[],
): Promise<Difference[]> {
  const differing = async (some: readonly string[]) => {
    const found = await compare(parts, compared, some);
    if (compared.model !== "investors" || found.length === 0) return found;
    const noted = await parts.noted.among(found.map(({ id }) => id));
    return found.filter(({ id }) => !noted.has(id));
  };
  let found = await differing(ids);
  for (const wait of PATIENCE_MS) {
    if (found.length === 0) break;
    await pause(wait);
    found = await differing(found.map(({ id }) => id));
  }
  return found;
}

async function compare(parts: PipelineParts, compared: Compared, ids: readonly string[]): Promise<Difference[]> {
  const { model, index } = compared;
  if (ids.length === 0) return [];
  // A search, not a get by id, because readers see what a search finds.
  const answer = await retryForever(async () =>
    wholeAnswer(
      await parts.client.search<Record<string, unknown>>({
        index,
        query: { ids: { values: [...ids] } },
        size: ids.length,
      }),
    ),
  );
  const stored = new Map(answer.hits.hits.map((hit) => [hit._id!, hit._source]));
  const documents = await derivedAgain(parts, compared, ids);
  const found = documents.flatMap(({ id, document }): Difference[] => {
    const is = stored.get(id);
    const shown = is && !("gone" in is) ? is : undefined;
    const should = "gone" in document ? undefined : (JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
    if (!shown && !should) return [];
    if (!shown) return [{ model, id, kind: "missing", fields: [] }];
    if (!should) return [{ model, id, kind: "extra", fields: [] }];
    const fields = [...new Set([...Object.keys(shown), ...Object.keys(should)])].filter(
      (field) => !isDeepStrictEqual(shown[field], should[field]),
    );
    return fields.length > 0 ? [{ model, id, kind: "stale", fields }] : [];
  });
  return withoutOtherVersions(parts, index, found);
}

/** The documents as they should be now. */
async function derivedAgain(
  parts: PipelineParts,
  { model, index, funding }: Compared,
  ids: readonly string[],
): Promise<readonly Derived[]> {
  const ticket = await parts.tickets.take();
  if (model !== "investors") return (await deriveBatch(parts, ticket, only(model, ids))).documents[model];
  const records = await readInvestorRecords(parts, ticket, ids);
  const documents = await investorDocuments(parts, ticket, { index, funding }, ids, records, []);
  if (!documents) throw new Error(`the index ${funding} no longer exists`);
  return documents;
}

/** The field with a document's id, and the type of the record of that id. */
const RECORD_BEHIND = {
  funding: ["id", "round"],
  signals: ["company_id", "company"],
  investors: ["investor_id", "investor"],
} as const;

/** Ids of visible documents without a stored record, page by page. */
async function* withoutRecord(parts: PipelineParts, { model, index }: Compared): AsyncGenerator<string[]> {
  const [field, type] = RECORD_BEHIND[model];
  for await (const ids of searchKeys(parts.client, {
    index,
    query: { exists: { field } },
    field,
    pageSize: PAGE_SIZE,
  })) {
    const records = await retryForever(() =>
      parts.client.mget({ index: parts.names.record(type), ids, _source: false }),
    );
    const orphans = records.docs.filter((record) => !("found" in record && record.found)).map((record) => record._id);
    if (orphans.length > 0) yield orphans;
  }
}
