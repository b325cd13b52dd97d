import { isFeedField } from "@tranche/read-models/indices/mappings";
import { isDeepStrictEqual } from "node:util";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { INDEX_ROLES, type IndexRole, type ReadModel } from "@tranche/shared/engines/search/index-names";
import { retryForever, wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import type { Installation } from "../installation/installation.ts";
import type { DerivedDocument, FieldDifference, IndexedDocument } from "./facts.ts";

const MAX_VALUE = 120;

/** A document as a search finds it in an index with a role. Absent: the index has never held it. */
export type StoredDocument = {
  index: string;
  role: IndexRole;
  stored: { ticket: number; document: Record<string, unknown> } | null;
};

/** The documents that each index with a role shows to readers. */
export async function readIndexed(
  { client, names }: Pick<Installation, "client" | "names">,
  model: ReadModel,
  id: string,
): Promise<StoredDocument[]> {
  const roles = (await readIndexRoles(client, names))[model];
  const held = INDEX_ROLES.flatMap((role) => (roles[role] === undefined ? [] : [{ role, index: roles[role] }]));
  return Promise.all(
    held.map(async ({ role, index }) => {
      // A search, not a get by id, because readers see what a search finds.
      const answer = await retryForever(async () =>
        wholeAnswer(
          await client.search<Record<string, unknown>>({ index, query: { ids: { values: [id] } }, version: true }),
        ),
      );
      const [hit] = answer.hits.hits;
      return { role, index, stored: hit ? { ticket: hit._version!, document: hit._source! } : null };
    }),
  );
}

/** Pure: compares what an index holds with what a fresh derivation gives for it. */
export function compared(
  { index, role, stored }: StoredDocument,
  derived: DerivedDocument | undefined,
): IndexedDocument {
  const shown = stored && !("gone" in stored.document) ? stored.document : undefined;
  const { listed, next_change_at } = (shown ?? {}) as Pick<IndexedDocument, "listed" | "next_change_at">;
  const is: IndexedDocument = {
    index,
    role,
    ticket: stored?.ticket ?? null,
    state: shown ? "shown" : stored ? "gone" : "absent",
    compared: "unknown",
    differences: [],
    ...(listed === undefined ? {} : { listed }),
    ...(next_change_at === undefined ? {} : { next_change_at }),
  };
  if (!derived || derived.failed !== undefined) return is;
  const should = derived.document;
  if (!should) return { ...is, compared: shown ? "extra" : "same" };
  if (!shown) return { ...is, compared: "missing" };
  const differences = differencesOf(shown, should);
  return { ...is, compared: differences.length > 0 ? "stale" : "same", differences };
}

/** The fields that differ; those of a row, which is stored as text, by their own names. */
export function differencesOf(stored: Record<string, unknown>, derived: Record<string, unknown>): FieldDifference[] {
  return [...new Set([...Object.keys(stored), ...Object.keys(derived)])].flatMap((field): FieldDifference[] => {
    if (isFeedField(field)) return [];
    const [is, should] = [stored[field], derived[field]];
    if (isDeepStrictEqual(is, should)) return [];
    const [row, rowShould] = [objectIn(is), objectIn(should)];
    if (field === "row" && row && rowShould) {
      const inside = differencesOf(row, rowShould).map((each) => ({ ...each, field: `row.${each.field}` }));
      if (inside.length > 0) return inside;
    }
    return [{ field, stored: shortened(is), derived: shortened(should) }];
  });
}

function objectIn(value: unknown): Record<string, unknown> | undefined {
  try {
    const read: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return typeof read === "object" && read !== null ? (read as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function shortened(value: unknown): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 2)} …` : text;
}
