import type { Client } from "@elastic/elasticsearch";
import type { RecordType } from "../domain/records/record.ts";
import { AccountError } from "./account.ts";
import { hashOfKey, idOfIngestToken, newHandle, newIngestToken, prefixOfKey } from "./api-key.ts";
import { createAuditedDocuments } from "./documents.ts";
import { oldestFirst } from "./stored-account.ts";

/** The stored facts about an ingest token, never the token itself. It opens `/ingest` of the operators' port, nothing else. */
export type IngestToken = {
  kind: "ingest-token";
  key_id: string;
  key_hash: string;
  prefix: string;
  name: string;
  /** The only set that it sends; null: it sends records of no set, or of any. */
  set: string | null;
  /** The only types of records that it sends; null: all. */
  types: RecordType[] | null;
  /** Whether it deletes records. */
  deletes: boolean;
  created_at: string;
  created_by: string;
  revoked_at: string | null;
  /** Missing until it was used. */
  last_used_at?: string;
};

/** The name and the rights of a token. */
export type NewIngestToken = Pick<IngestToken, "name" | "set" | "types" | "deletes">;

/** Ingest tokens. Changes are in the audit log. Rejects with an AccountError for people. */
export type IngestTokenStore = {
  /** The token is shown once and stored only as its hash. */
  create(input: NewIngestToken): Promise<{ token: string; record: IngestToken }>;
  /** All that were ever created, the oldest first. */
  list(): Promise<IngestToken[]>;
  /** Revokes the token with this id. Revoking one again changes nothing. */
  revoke(id: string): Promise<IngestToken>;
  /** The stored token of a text, as it is at this moment; undefined when there is none, or it is revoked. Mistyped ones need no look-up. */
  working(token: string): Promise<IngestToken | undefined>;
  /** Whether a token that worked still does. */
  isWorking(token: Pick<IngestToken, "key_hash">): Promise<boolean>;
  /** Notes that it is used now. */
  used(token: Pick<IngestToken, "key_hash">): Promise<void>;
};

const documentId = (hash: string): string => `ingest-token:${hash}`;

/** Kept with the accounts. `actor` is for the audit log; `now` is real time in ms. */
export function createIngestTokenStore(
  client: Client,
  index: string,
  { actor = "unknown", now = Date.now }: { actor?: string; now?: () => number } = {},
): IngestTokenStore {
  const documents = createAuditedDocuments(client, index, { actor, now });
  const at = () => new Date(now()).toISOString();
  const find = async (hash: string): Promise<IngestToken | undefined> => {
    const found = await client.get<IngestToken>({ index, id: documentId(hash) }, { ignore: [404] });
    return found.found && found._source!.revoked_at === null ? found._source : undefined;
  };
  const isToken = { term: { kind: "ingest-token" } };

  return {
    async create(input) {
      const key_id = newHandle();
      const token = newIngestToken(key_id);
      const record: IngestToken = {
        kind: "ingest-token",
        key_id,
        key_hash: hashOfKey(token),
        prefix: prefixOfKey(token),
        ...input,
        created_at: at(),
        created_by: actor,
        revoked_at: null,
      };
      const details = { name: input.name, rights: rightsText(input) };
      const entry = documents.entry("ingest_token.create", undefined, { key_id, details });
      await documents.create(documentId(record.key_hash), record, entry);
      return { token, record };
    },
    list: async () => oldestFirst(await documents.all<IngestToken>([isToken])),
    async revoke(id) {
      const missing = `There is no ingest token '${id}'. \`ops ingest-tokens list\` shows them.`;
      const [found] = await documents.search<IngestToken>([isToken, { term: { key_id: id } }], 1);
      if (!found) throw new AccountError(missing);
      const { document } = await documents.change<IngestToken>(
        documentId(found.key_hash),
        documents.entry("ingest_token.revoke", undefined, { key_id: id, details: { name: found.name } }),
        missing,
        (record) => ({ ...record, revoked_at: record.revoked_at ?? at() }),
      );
      return document;
    },
    async working(token) {
      return idOfIngestToken(token) === undefined ? undefined : find(hashOfKey(token));
    },
    isWorking: async ({ key_hash }) => (await find(key_hash)) !== undefined,
    async used({ key_hash }) {
      await client.update({ index, id: documentId(key_hash), doc: { last_used_at: at() }, retry_on_conflict: 3 });
    },
  };
}

/** `set crm; companies, rounds only; no deletes` */
export function rightsText({ set, types, deletes }: Omit<NewIngestToken, "name">): string {
  return [
    set === null ? "any set" : `set ${set} only`,
    types === null ? "all types" : `${types.join(", ")} only`,
    deletes ? "deletes" : "no deletes",
  ].join("; ");
}
