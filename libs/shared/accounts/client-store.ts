import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { deleteWhere } from "../engines/search/delete-where.ts";
import type { IndexNames } from "../engines/search/index-names.ts";

/** An application that has registered itself. Nobody knows who it is. */
export type RegisteredClient = {
  kind: "client";
  /** Its client_id. */
  key_id: string;
  /** As it calls itself. */
  name: string;
  redirect_uris: readonly string[];
  created_at: string;
  /** ISO time: it is forgotten then, unless somebody connects it. */
  expires_at: string;
};

/** Applications that have registered themselves. */
export type ClientStore = {
  register(input: Pick<RegisteredClient, "name" | "redirect_uris">): Promise<RegisteredClient>;
  /** In real time; undefined when there is none, or it was forgotten. */
  find(id: string): Promise<RegisteredClient | undefined>;
  /** Notes that somebody connects it: it is kept for as long as a grant lasts. */
  used(id: string): Promise<void>;
  /** Deletes those that are over; returns how many. */
  forgetUnused(): Promise<number>;
};

const DAY_MS = 86_400_000;
const UNUSED_MS = DAY_MS;
/** As long as a grant. */
const USED_MS = 180 * DAY_MS;
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const documentId = (id: string): string => `client:${id}`;

/** Kept in the dashboard's own index. `now` is real time in ms. */
export function createClientStore(
  client: Client,
  { dashboard: index }: Pick<IndexNames, "dashboard">,
  now: () => number = Date.now,
): ClientStore {
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    async register(input) {
      const registered: RegisteredClient = {
        kind: "client",
        key_id: randomUUID(),
        ...input,
        created_at: at(now()),
        expires_at: at(now() + UNUSED_MS),
      };
      await client.index({ index, id: documentId(registered.key_id), document: registered, op_type: "create" });
      return registered;
    },
    async find(id) {
      if (!ID.test(id)) return undefined;
      const { found, _source } = await client.get<RegisteredClient>({ index, id: documentId(id) }, { ignore: [404] });
      return found && Date.parse(_source!.expires_at) > now() ? _source : undefined;
    },
    async used(id) {
      const doc = { expires_at: at(now() + USED_MS) };
      await client.update({ index, id: documentId(id), doc, retry_on_conflict: 3, refresh: true }, { ignore: [404] });
    },
    forgetUnused() {
      const over = [{ term: { kind: "client" } }, { range: { expires_at: { lt: at(now()) } } }];
      return deleteWhere(client, index, { bool: { filter: over } });
    },
  };
}
