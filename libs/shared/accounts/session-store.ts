import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { deleteWhere } from "../engines/search/delete-where.ts";
import type { IndexNames } from "../engines/search/index-names.ts";
import { type Account, keyDocumentId, type Rights, type SessionRecord } from "./account.ts";
import { type AccountStore } from "./account-store.ts";
import { handleOfKey, hashOfKey, newApiKey, prefixOfKey } from "./api-key.ts";
import { createAuditedDocuments } from "./documents.ts";
import type { HotCopies } from "./hot-copies.ts";
import { membershipsOfSession, readMemberships } from "./membership.ts";
import { endOfSession, latestEnd } from "./session-end.ts";

/**
 * Sessions of the dashboard. Each is a key of its account, under a `kind` of its own. It is over when its member is removed or signs out
 * everywhere, and when that happens to the member who made its link.
 */
export type SessionStore = {
  /** `name` shows people which browser it is. The token is shown to the browser once and stored only as its hash. */
  start(
    input: Pick<SessionRecord, "account" | "member" | "stamp" | "by" | "name">,
  ): Promise<{ token: string; session: SessionRecord }>;
  /** The session of a token and its account, in real time; undefined when it is over or never was, or the account is deleted. */
  find(token: string): Promise<{ account: Account; session: SessionRecord; rights: Rights } | undefined>;
  /** The sessions of a member that are not over, the newest first. */
  ofMember(account: string, member: string): Promise<SessionRecord[]>;
  /** Ends a session: within a second no process admits it. Ending one that is over changes nothing. */
  end(session: SessionRecord): Promise<void>;
  /** Deletes sessions that were over before a time; returns how many. */
  forgetEnded(before: Date): Promise<number>;
};

/** `actor` is for the audit log; `now` is real time in ms. */
export function createSessionStore(
  client: Client,
  names: Pick<IndexNames, "accounts" | "dashboard">,
  parts: {
    accounts: Pick<AccountStore, "caller">;
    copies: Pick<HotCopies, "keepKey">;
    actor?: string;
    now?: () => number;
  },
): SessionStore {
  const { accounts, copies, actor = "unknown", now = Date.now } = parts;
  const index = names.accounts;
  const documents = createAuditedDocuments(client, index, { actor, now });
  const at = (ms: number) => new Date(ms).toISOString();

  return {
    async start({ account, member, stamp, by, name }) {
      const token = newApiKey(account);
      const session: SessionRecord = {
        kind: "session",
        key_id: randomUUID(),
        account,
        member,
        stamp,
        by,
        key_hash: hashOfKey(token),
        prefix: prefixOfKey(token),
        name,
        created_at: at(now()),
        expires_at: latestEnd(now()),
        revoked_at: null,
      };
      const details = { member, name, ...(by ? { link_by: by.email } : {}) };
      const entry = documents.entry("session.start", account, { key_id: session.key_id, details });
      await documents.create(keyDocumentId(session.key_hash), session, entry);
      return { token, session };
    },
    async find(token) {
      const handle = handleOfKey(token);
      if (handle === undefined) return undefined;
      const caller = await accounts.caller(handle, hashOfKey(token));
      // A key of an account opens the API, never the dashboard.
      if (caller?.key.kind !== "session" || !isOpen(caller.key, now())) return undefined;
      const { account, key: session, rights } = caller;
      return account.status === "deleted" ? undefined : { account, session, rights: rights! };
    },
    async ofMember(account, member) {
      const found = await documents.all<SessionRecord>([
        { term: { kind: "session" } },
        { term: { account } },
        { term: { member } },
        { range: { expires_at: { gt: at(now()) } } },
        { bool: { must_not: { exists: { field: "revoked_at" } } } },
      ]);
      const emails = [...new Set(found.flatMap(membershipsOfSession).map(({ email }) => email))];
      const { hold } = await readMemberships(client, names.dashboard, { account, emails });
      return found
        .map((session) => ({ ...session, expires_at: endOfSession(session) }))
        .filter((session) => isOpen(session, now()) && hold(membershipsOfSession(session)))
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
    forgetEnded(before) {
      const past = { lt: before.toISOString() };
      const over = [{ range: { revoked_at: past } }, { range: { expires_at: past } }];
      return deleteWhere(client, index, {
        bool: { filter: [{ term: { kind: "session" } }], should: over, minimum_should_match: 1 },
      });
    },
  };
}

const isOpen = ({ revoked_at, expires_at }: SessionRecord, now: number): boolean =>
  revoked_at === null && Date.parse(expires_at) > now;
