import type { Client } from "@elastic/elasticsearch";
import { retryConflicts } from "../engines/search/retry-conflicts.ts";
import { STORED_NAME, STORED_NAME_RULE } from "../domain/text/stored-name.ts";
import { AccountError } from "./account.ts";
import { createAuditedDocuments } from "./documents.ts";

/** A version of a stored mapping. It never changes. */
export type StoredMapping = {
  kind: "mapping";
  /** `name@version`. */
  key_id: string;
  name: string;
  /** From 1. */
  version: number;
  /** The mapping as JSON text: its keys are the names of columns, which an index can't all hold. */
  content: string;
  created_at: string;
  created_by: string;
};

/** Mappings by name, with all their versions. Changes are in the audit log. Rejects with an AccountError for people. */
export type MappingStore = {
  /** Stores the next version, unless the newest one is the same. */
  put(name: string, mapping: object): Promise<{ stored: StoredMapping; isNew: boolean }>;
  /** The newest version, or the given one; undefined when there is none. */
  find(name: string, version?: number): Promise<StoredMapping | undefined>;
  /** All versions of a mapping, the newest first. */
  versions(name: string): Promise<StoredMapping[]>;
  /** The newest version of each, by name. */
  list(): Promise<StoredMapping[]>;
};

/** The name and version of `NAME` or `NAME@VERSION`; undefined where it is neither. */
export function mappingNameOf(text: string): { name: string; version: number | undefined } | undefined {
  const [, name, version] = /^([^@]{1,64})(?:@([1-9]\d{0,8}))?$/.exec(text) ?? [];
  return name === undefined ? undefined : { name, version: version === undefined ? undefined : Number(version) };
}

/** A mapping is read whole for each upload that names it. */
const MAX_MAPPING_BYTES = 256 * 1024;

/** Kept with the accounts. `actor` is for the audit log; `now` is real time in ms. */
export function createMappingStore(
  client: Client,
  index: string,
  { actor = "unknown", now = Date.now }: { actor?: string; now?: () => number } = {},
): MappingStore {
  const documents = createAuditedDocuments(client, index, { actor, now });
  const isMapping = { term: { kind: "mapping" } };
  const versionsOf = async (name: string) =>
    newestFirst(await documents.all<StoredMapping>([isMapping, { term: { name } }]));
  const documentId = (name: string, version: number) => `mapping:${name}@${version}`;
  const newestFirst = (versions: readonly StoredMapping[]) => versions.toSorted((a, b) => b.version - a.version);

  return {
    async put(name, mapping) {
      const content = JSON.stringify(mapping);
      if (!STORED_NAME.test(name)) throw new AccountError(`'${name}' is not a name of a mapping: ${STORED_NAME_RULE}.`);
      if (Buffer.byteLength(content) > MAX_MAPPING_BYTES) throw new AccountError("A mapping has at most 256 KiB.");
      const entry = documents.entry("mapping.put", undefined);
      const put = await retryConflicts(async () => {
        const [last] = await versionsOf(name);
        if (last?.content === content) return { stored: last, isNew: false };
        const version = (last?.version ?? 0) + 1;
        const stored: StoredMapping = {
          kind: "mapping",
          key_id: `${name}@${version}`,
          name,
          version,
          content,
          created_at: new Date(now()).toISOString(),
          created_by: actor,
        };
        const details = { name, version: String(version) };
        // Somebody else may have stored this version meanwhile. The entry is written again then, with the number that it got.
        const isNew = await documents.createUnlessThere(documentId(name, version), stored, { ...entry, details });
        return isNew ? { stored, isNew } : undefined;
      });
      if (!put) throw new AccountError("Others are storing a mapping of this name at this moment. Try again.");
      return put;
    },
    async find(name, version) {
      if (version === undefined) return (await versionsOf(name))[0];
      const found = await client.get<StoredMapping>({ index, id: documentId(name, version) }, { ignore: [404] });
      return found.found ? found._source : undefined;
    },
    versions: versionsOf,
    async list() {
      const byName = Map.groupBy(await documents.all<StoredMapping>([isMapping]), ({ name }) => name);
      return [...byName.values()].map((versions) => newestFirst(versions)[0]!);
    },
  };
}
