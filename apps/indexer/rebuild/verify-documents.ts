import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { REGISTRY } from "@tranche/read-models/documents/registry";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import { retryForever, wholeAnswer, wholeDocuments } from "@tranche/shared/engines/search/retry-forever";
import { searchKeys } from "@tranche/shared/engines/search/search-all";
import { type Difference, MAX_LISTED, type Verification } from "@tranche/shared/protocol/rebuild/verification";
import { deriveBatch } from "../pipeline/derive-batch.ts";
import { deriveDocuments } from "../pipeline/derive-documents.ts";
import { deriveInvestors, investorDocuments, readInvestorRecords } from "../pipeline/derive-investors.ts";
import { ALL_IDS, type IdRange, inRange } from "@tranche/shared/engines/search/id-ranges";
import { only, pagesOf } from "../pipeline/pages.ts";
import type { PipelineParts } from "../pipeline/parts.ts";
import type { SlicedWork } from "./sliced-work.ts";
import type { Derived } from "../write/outgoing.ts";
import { withoutOtherVersions } from "./compared-fields.ts";

const PAGE_SIZE = 1000;
/** A document may be in the pipeline, so a difference counts only if it remains after pauses of so many times the shortest one. */
const PAUSES = [1, 3, 6];
/** While jobs are in progress, documents are compared at most this often: on a busy machine a batch takes minutes. */
const MAX_COMPARISONS = 8;
/** The total wait for jobs of one slice, or of a rebuild's sample. */
const MAX_WAIT_MS = 10 * 60_000;

/** The rest of that wait, in ms. */
type WaitBudget = { leftMs: number };
const newBudget = (): WaitBudget => ({ leftMs: MAX_WAIT_MS });

export const NOTHING_FOUND: Verification = { compared: 0, differing: 0, differences: [], repaired: 0 };

/**
 * Derives every document of a read model again and compares it with the live one. With `repair`, documents that differ are written
 * again. Repairs by a killed indexer since it last saved no longer differ, so they are not counted.
 */
export function verification(
  parts: PipelineParts,
  { model, repair }: { model: ReadModel; repair: boolean },
): SlicedWork<Verification> {
  const live = liveIndex(parts, model);
  const verified = async (ids: readonly string[], budget: WaitBudget): Promise<Verification> => {
    const found = await differences(parts, live, ids, budget);
    const result = { ...NOTHING_FOUND, differing: found.length, differences: found.slice(0, MAX_LISTED) };
    if (!repair || found.length === 0) return result;
    const differing = found.map(({ id }) => id);
    // Not `deriveDocuments` for investors, because that only adds them to the pending ones.
    await (model === "investors" ? deriveInvestors(parts, differing) : deriveDocuments(parts, only(model, differing)));
    return { ...result, repaired: found.length - (await compare(parts, live, differing)).length };
  };
  async function* pages(range: IdRange) {
    const budget = newBudget();
    for await (const page of recordPagesOf(parts, model, range)) {
      let found = { ...NOTHING_FOUND, compared: page.ids.length };
      for await (const ids of idsIn(parts, live, page)) found = mergeVerifications(found, await verified(ids, budget));
      yield { last: page.last, found };
    }
  }
  return {
    name: `${repair ? "repair" : "verify"}-${model}`,
    type: REGISTRY[model].record,
    pageSize: PAGE_SIZE,
    nothing: NOTHING_FOUND,
    add: mergeVerifications,
    open: async () => pages,
  };
}

/** Joins the results of two parts of a verification. */
export const mergeVerifications = (one: Verification, other: Verification): Verification => ({
  compared: one.compared + other.compared,
  differing: one.differing + other.differing,
  differences: [...one.differences, ...other.differences].slice(0, MAX_LISTED),
  repaired: one.repaired + other.repaired,
});

/** An index that is compared. `funding`: the funding index that investors are counted from. */
export type Compared = { model: ReadModel; index: string; funding: string };

const liveIndex = ({ names }: PipelineParts, model: ReadModel): Compared => ({
  model,
  index: names.role(model, "live"),
  funding: names.role("funding", "live"),
});

/** Compares an index with the records, page by page. */
export async function* allDifferences(parts: PipelineParts, compared: Compared): AsyncGenerator<Difference[]> {
  const budget = newBudget();
  for await (const page of recordPagesOf(parts, compared.model, ALL_IDS)) {
    for await (const ids of idsIn(parts, compared, page)) yield await differences(parts, compared, ids, budget);
  }
}

/** A range of ids, and those of them that have a record. */
type RecordPage = IdRange & { ids: string[] };

/** Cuts a range of ids at every page of records. The last page extends to the end of the range. */
async function* recordPagesOf(parts: PipelineParts, model: ReadModel, range: IdRange): AsyncGenerator<RecordPage> {
  let [after, ids]: [string | null, string[]] = [range.after, []];
  for await (const page of pagesOf(parts, model, PAGE_SIZE, range)) {
    const last = ids.at(-1);
    if (last !== undefined) {
      yield { after, last, ids };
      after = last;
    }
    ids = page;
  }
  yield { after, last: range.last, ids };
}

/** The ids of a page to compare: those of its records, then those of its documents without a record. */
async function* idsIn(parts: PipelineParts, compared: Compared, page: RecordPage): AsyncGenerator<string[]> {
  yield page.ids;
  yield* withoutRecord(parts, compared, page);
}

/**
 * The documents that still differ from a fresh derivation after all pauses and after the jobs in progress have ended. A pending investor is
 * left out: it is about to be derived, and one whose rounds change all the time would differ each time.
 */
export async function differences(
  parts: PipelineParts,
  compared: Compared,
  ids: readonly string[],
  budget: WaitBudget = newBudget(),
): Promise<Difference[]> {
  const differing = async (some: readonly string[]) => {
    const found = await compare(parts, compared, some);
    if (compared.model !== "investors" || found.length === 0) return found;
    const pending = await parts.pendingInvestors.among(found.map(({ id }) => id));
    return found.filter(({ id }) => !pending.has(id));
  };
  let found = await differing(ids);
  for (let n = 0; found.length > 0 && n < MAX_COMPARISONS; n++) {
    await pause((PAUSES[n] ?? 0) * parts.timing.differing);
    const start = Date.now();
    const waited = budget.leftMs > 0 && (await parts.untilJobsEnd(budget.leftMs));
    budget.leftMs -= Date.now() - start;
    if (!waited && n >= PAUSES.length) break;
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

/** Ids of visible documents without a stored record, page by page. */
async function* withoutRecord(
  parts: PipelineParts,
  { model, index }: Compared,
  { ids, ...range }: RecordPage,
): AsyncGenerator<string[]> {
  const [field, known] = [REGISTRY[model].idField, new Set(ids)];
  const query = inRange(field, range);
  for await (const found of searchKeys(parts.client, { index, query, field, pageSize: PAGE_SIZE })) {
    const others = found.filter((id) => !known.has(id));
    if (others.length === 0) continue;
    // Their records may have been stored meanwhile.
    const records = { index: parts.names.record(REGISTRY[model].record), ids: others, _source: false };
    const docs = await retryForever(async () => wholeDocuments(await parts.client.mget(records)));
    const orphans = docs.filter((record) => !record.found).map((record) => record._id);
    if (orphans.length > 0) yield orphans;
  }
}
