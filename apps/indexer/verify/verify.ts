import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { DeriveJob } from "@tranche/shared/queue/queues";
import { READ_MODELS, type ReadModel } from "@tranche/shared/search/indices";
import { patiently } from "@tranche/shared/search/patiently";
import { searchAll } from "@tranche/shared/search/search-all";
import { deriveBatch } from "../jobs/derive.ts";
import type { JobParts } from "../jobs/parts.ts";
import { countOf, pagesOf } from "../rebuild/pages.ts";

const PAGE_SIZE = 1000;
/** A document may be on its way while it is looked at: a difference counts when it is still there after these pauses. */
const PATIENCE_MS = [500, 1500, 3000];
const SHOWN = 50;

/** `missing`: not in the index; `extra`: there with no record behind it; `stale`: there, and not what its records say. */
export type Difference = { model: ReadModel; id: string; kind: "missing" | "extra" | "stale"; fields: string[] };

export type Verification = { compared: number; differing: number; differences: Difference[]; repaired: number };

/** Derives every document afresh and compares it with the live one; what differs is derived again when `repair` is set. */
export async function verify(
  parts: JobParts,
  options: { repair: boolean; onProgress: (done: number) => Promise<void> },
): Promise<Verification> {
  const total = (await Promise.all(READ_MODELS.map((model) => countOf(parts, model)))).reduce(
    (sum, count) => sum + count,
    0,
  );
  const result: Verification = { compared: 0, differing: 0, differences: [], repaired: 0 };
  const note = async (found: Difference[]) => {
    result.differing += found.length;
    result.differences.push(...found.slice(0, SHOWN - result.differences.length));
    if (!options.repair || found.length === 0) return;
    await parts.enqueueDerive([repairJob(found)]);
    result.repaired += found.length;
  };
  for (const model of READ_MODELS) {
    const live = parts.names.role(model, "live");
    for await (const page of pagesOf(parts, model, null, PAGE_SIZE)) {
      const ids = [...page.touched.rounds, ...page.touched.companies];
      await note(await differences(parts, model, live, ids));
      result.compared += ids.length;
      await options.onProgress(result.compared / Math.max(1, total));
    }
    for await (const ids of withoutRecord(parts, model)) await note(await differences(parts, model, live, ids));
  }
  return result;
}

function repairJob(found: readonly Difference[]): DeriveJob {
  const of = (model: ReadModel) =>
    found.filter((difference) => difference.model === model).map((difference) => difference.id);
  return { rounds: of("funding"), companies: of("signals") };
}

/** The documents among these that differ from a fresh derivation, and keep differing. */
export async function differences(
  parts: JobParts,
  model: ReadModel,
  index: string,
  ids: readonly string[],
): Promise<Difference[]> {
  let found = await compare(parts, model, index, ids);
  for (const wait of PATIENCE_MS) {
    if (found.length === 0) break;
    await pause(wait);
    found = await compare(
      parts,
      model,
      index,
      found.map((difference) => difference.id),
    );
  }
  return found;
}

async function compare(
  parts: JobParts,
  model: ReadModel,
  index: string,
  ids: readonly string[],
): Promise<Difference[]> {
  if (ids.length === 0) return [];
  const answer = await patiently(() => parts.client.mget<Record<string, unknown>>({ index, ids: [...ids] }));
  const stored = new Map(
    answer.docs.map((document) => [document._id, "found" in document && document.found ? document._source : undefined]),
  );
  const touched = new Set(ids);
  const { documents } = await deriveBatch(parts, {
    rounds: model === "funding" ? touched : new Set(),
    companies: model === "signals" ? touched : new Set(),
  });
  return documents[model].flatMap(({ id, document }): Difference[] => {
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
}

/** Ids of documents that are shown although no record of that id is stored, page by page. */
async function* withoutRecord(parts: JobParts, model: ReadModel): AsyncGenerator<string[]> {
  const [field, type] = model === "funding" ? (["id", "round"] as const) : (["company_id", "company"] as const);
  const pages = searchAll<Record<string, string>>(parts.client, {
    index: parts.names.role(model, "live"),
    query: { exists: { field } },
    sort: [field],
    source: [field],
    pageSize: PAGE_SIZE,
  });
  for await (const page of pages) {
    const ids = page.map((document) => document[field]!);
    const records = await patiently(() => parts.client.mget({ index: parts.names.record(type), ids, _source: false }));
    const orphans = records.docs.filter((record) => !("found" in record && record.found)).map((record) => record._id);
    if (orphans.length > 0) yield orphans;
  }
}
