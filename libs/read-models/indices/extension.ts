import type { Client, estypes } from "@elastic/elasticsearch";
import { retryForever } from "@tranche/shared/engines/search/retry-forever";
import type { IndexVersion } from "./index-versions.ts";
import { type IndexMeta, isNewer, isOlder, type Versions } from "./versions.ts";

type Fields = Readonly<Record<string, estypes.MappingProperty>>;

/** The changes of this version to an index before it writes to it. */
type Extension = {
  /** Fields to add to its mapping. */
  added: Fields;
  /** Fields that it has with another type: documents are written to it without them. */
  conflicting: string[];
  /** `_meta` afterwards; undefined when nothing changes. */
  notes: IndexMeta | undefined;
};

/**
 * How an index takes the documents of this version: by added fields where that is enough. Fields that are there stay as they are, and
 * an index of a newer version is left alone. An index of an earlier version notes that this one writes to it.
 */
export function extensionOf(index: IndexVersion, fields: Fields, own: Versions): Extension {
  if (isNewer(index.created, own)) return { added: {}, conflicting: [], notes: undefined };
  const added = Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in index.fields)));
  const conflicting = Object.entries(fields).flatMap(([field, mapping]) => {
    const there = index.fields[field];
    return there && typeOf(there) !== typeOf(mapping) ? [field] : [];
  });
  const also = laterOf(index.also, isOlder(index.created, own) ? own : undefined);
  const incomplete = [...new Set([...index.incomplete, ...Object.keys(added), ...conflicting])];
  const same = also === index.also && incomplete.length === index.incomplete.length;
  const notes = same
    ? undefined
    : { ...index.created, ...(also && { also }), ...(incomplete.length > 0 && { incomplete }) };
  return { added, conflicting, notes };
}

const typeOf = (mapping: estypes.MappingProperty): string => mapping.type ?? "object";

function laterOf(stored: Versions | undefined, own: Versions | undefined): Versions | undefined {
  if (!stored || !own) return stored ?? own;
  return isNewer(own, stored) ? own : stored;
}

/**
 * Extends an index as planned. Returns the fields to leave out of documents for it: the conflicting ones, and all added ones when
 * Elasticsearch refuses to add them.
 */
export async function extend(client: Client, index: string, extension: Extension): Promise<Set<string>> {
  const { added, conflicting, notes } = extension;
  if (notes) {
    try {
      const request = { index, properties: { ...added }, _meta: notes };
      // 404: the index has just been retired.
      await retryForever(() => client.indices.putMapping(request, { ignore: [404] }));
    } catch {
      return new Set([...conflicting, ...Object.keys(added)]);
    }
  }
  return new Set(conflicting);
}
