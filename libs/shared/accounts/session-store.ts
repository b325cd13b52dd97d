import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { deleteWhere } from "../search/delete-where.ts";
import { type Account, type Caller, keyDocumentId, type SessionRecord } from "./account.ts";
import { type AccountStore } from "./account-store.ts";
import { handleOfKey, hashOfKey, newApiKey, prefixOfKey } from "./api-key.ts";
import { createAuditedDocuments } from "./documents.ts";
import type { HotCopies } from "./hot-copies.ts";

/** A session is over after this time, whatever it was used for. */
const SESSION_DAYS = 14;
const DAY_MS = 86_400_000;

/** Sessions of the dashboard. Each is a key of its account, under a `kind` of its own. */
export type SessionStore = {
  /** `name` shows people which browser it is. The token is shown to the browser once and stored only as its hash. */
  start(input: { account: string; member: string; name: string }): Promise<{ token: string; session: SessionRecord }>;
  /** The session of a token and its account, in real time; undefined when it is over or never was, or the account is deleted. */
  find(token: string): Promise<{ account: Account; session: SessionRecord } | undefined>;
  /** The sessions of a member that are not over, the newest first. */
  ofMember(account: string, member: string): Promise<SessionRecord[]>;
  /** Ends a session: within a second no process admits it. Ending one that is over changes nothing. */
  end(session: SessionRecord): Promise<void>;
  /** Ends all sessions of a member. */
  endAll(account: string, member: string): Promise<void>;
  /** Deletes sessions that were over before a time; returns how many. */
  forgetEnded(before: Date): Promise<number>;
};

/** `actor` is for the audit log; `now` is real time in ms. */
export function createSessionStore(
  client: Client,
  index: string,
  parts: {
    accounts: Pick<AccountStore, "caller">;
    copies: Pick<HotCopies, "keepKey">;
    actor?: string;
    now?: () => number;
  },
): SessionStore {
  const { accounts, copies, actor = "unknown", now = Date.now } = parts;
  const documents = createAuditedDocuments(client, index, { actor, now });
  const at = (ms: number) => new Date(ms).toISOString();

  const store: SessionStore = {
    async start({ account, member, name }) {
      const token = newApiKey(account);
      const session: SessionRecord = {
        kind: "session",
        key_id: randomUUID(),
        account,
        member,
        key_hash: hashOfKey(token),
        prefix: prefixOfKey(token),
        name,
        created_at: at(now()),
        expires_at: at(now() + SESSION_DAYS * DAY_MS),
        revoked_at: null,
      };
      const entry = documents.entry("session.start", account, { key_id: session.key_id, details: { member, name } });
      await documents.create(keyDocumentId(session.key_hash), session, entry);
      return { token, session };
    },
    async find(token) {
      const handle = handleOfKey(token);
      if (handle === undefined) return undefined;
      const caller: Caller | undefined = await accounts.caller(handle, hashOfKey(token));
      const session = caller?.key as unknown as SessionRecord | undefined;
      // A key of an account opens the API, never the dashboard.
      if (session?.kind !== "session" || !isOpen(session, now())) return undefined;
      return caller!.account.status === "deleted" ? undefined : { account: caller!.account, session };
    },
    async ofMember(account, member) {
      const filter = [{ term: { kind: "session" } }, { term: { account } }, { term: { member } }];
      const found = await documents.search<SessionRecord>(filter);
      return found
        .filter((session) => isOpen(session, now()))
        .toSorted((a, b) => (a.created_at > b.created_at ? -1 : 1));
    },
    async end({ account, key_id, key_hash, member }) {
      const entry = documents.entry("session.end", account, { key_id, details: { member } });
      const { document, version } = await documents.change<SessionRecord>(
        keyDocumentId(key_hash),
        entry,
        "There is no such session.",
        (session) => ({ ...session, revoked_at: session.revoked_at ?? at(now()) }),
      );
      await copies.keepKey(document, version);
    },
    async endAll(account, member) {
      for (const session of await store.ofMember(account, member)) await store.end(session);
    },
    forgetEnded(before) {
      const past = { lt: before.toISOString() };
      const over = [{ range: { revoked_at: past } }, { range: { expires_at: past } }];
      return deleteWhere(client, index, {
        bool: { filter: [{ term: { kind: "session" } }], should: over, minimum_should_match: 1 },
      });
    },
  };
  return store;
}

const isOpen = ({ revoked_at, expires_at }: SessionRecord, now: number): boolean =>
  revoked_at === null && Date.parse(expires_at) > now;
