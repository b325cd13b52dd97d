import type { Client } from "@elastic/elasticsearch";
import { groupedFields, keptField } from "@tranche/read-models/documents/field-groups";
import { chunks } from "@tranche/shared/engines/search/chunks";
import type { FirstStage } from "@tranche/shared/engines/search/index-names";
import { type OnRetry, retryForever, wholeDocuments } from "@tranche/shared/engines/search/retry-forever";
import type { Sources } from "../read/sources.ts";

/** The fields that documents keep when they go, by id. */
export type Kept = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

const IDS_AT_ONCE = 500;

/**
 * The fields that filters use of those documents that are gone from now on, by the names under which they are kept. They are those of the
 * live index. `ids`: documents that are derived from `sources`, gone or not. Documents that were never there are left
 * out.
 */
export async function readKept(
  parts: { client: Client; onRetry: OnRetry },
  model: FirstStage,
  index: string,
  ids: readonly string[],
  sources: Sources,
): Promise<Kept> {
  const fields = groupedFields(model);
  const kept = new Map<string, Record<string, unknown>>();
  for (const some of chunks(goneAmong(model, ids, sources), IDS_AT_ONCE)) {
    const docs = await retryForever(
      async () =>
        wholeDocuments(
          await parts.client.mget<Record<string, unknown>>({
            index,
            ids: [...some],
            _source_includes: [...fields, ...fields.map(keptField)],
          }),
        ),
      parts.onRetry,
    );
    for (const { _id: id, _source: source = {} } of docs) {
      const values = fields.flatMap((field): [string, unknown][] => {
        const name = keptField(field) in source ? keptField(field) : field;
        return name in source ? [[keptField(field), source[name]]] : [];
      });
      if (values.length > 1) kept.set(id, Object.fromEntries(values));
    }
  }
  return kept;
}

/** The documents that have nothing to show: a round or a company that is unknown or deleted. */
function goneAmong(model: FirstStage, ids: readonly string[], sources: Sources): string[] {
  const isThere = (id: string): boolean => {
    if (model === "companies") return sources.companies.has(id);
    const round = sources.rounds.get(id);
    return round !== undefined && sources.companies.has(round.body!.company_id);
  };
  return ids.filter((id) => !isThere(id));
}
