import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { AccountError } from "./account.ts";
import { assertStays, type MayStay } from "./assert-stays.ts";
import { createAuditedDocuments } from "./documents.ts";
import type { HotCopies } from "./hot-copies.ts";
import { memberDocumentId, readMemberships } from "./membership.ts";
import { createWriteWithSignOut } from "./sign-out-writes.ts";
import type { IndexNames } from "../engines/search/index-names.ts";
import { retryConflicts } from "../engines/search/retry-conflicts.ts";
import { readAll } from "../engines/search/search-all.ts";
import type { Member } from "./member.ts";

/** Members of accounts. Changes go to the audit log. Rejects with an AccountError for people. */
export type MemberStore = {
  /** Adding somebody again changes nothing. `most`: how many members the account may have. */
  add(input: { account: string; email: string }, options?: { most?: number; mayStay?: MayStay }): Promise<Member>;
  /**
   * When it resolves, no session of the member is admitted anywhere, and none of their links works. False when they were no member. With
   * `keepLast`, somebody always stays: of several removals at once that would leave nobody, at least one rejects.
   */
  remove(account: string, email: string, options?: { keepLast?: boolean }): Promise<boolean>;
  /** Signs a member out everywhere: when it resolves, sessions and links from before are over, as after a removal. */
  signOut(account: string, email: string): Promise<void>;
  /** In real time; undefined when they are no member. */
  one(account: string, email: string): Promise<Member | undefined>;
  /** The members of an account, by address. */
  ofAccount(account: string): Promise<Member[]>;
  /** The accounts that somebody is a member of. */
  ofEmail(email: string): Promise<Member[]>;
};

/** Kept in the dashboard's own index. `copies` may be missing where nobody is removed or signed out; `now` is real time in ms. */
export function createMemberStore(
  client: Client,
  names: Pick<IndexNames, "accounts" | "dashboard">,
  {
    actor = "unknown",
    copies,
    now = Date.now,
  }: { actor?: string; copies?: Pick<HotCopies, "keepSignOuts">; now?: () => number } = {},
): MemberStore {
  const index = names.dashboard;
  const { entry } = createAuditedDocuments(client, names.accounts, { actor, now });

  const members = (query: object): Promise<Member[]> => {
    const filter = [{ term: { kind: "member" } }, query];
    return readAll<Member>(client, { index, query: { bool: { filter } }, sort: ["email", "account"], source: true });
  };
  const read = (id: string) => client.get<Member>({ index, id }, { ignore: [404] });

  const write = createWriteWithSignOut(client, names, copies);
  const create = (member: Member, details: Record<string, string>) =>
    write(
      [{ create: { _index: index, _id: memberDocumentId(member.account, member.email) } }, member],
      entry("member.add", member.account, { details }),
    );

  const store: MemberStore = {
    async add({ account, email }, { most = Number.POSITIVE_INFINITY, mayStay = async () => {} } = {}) {
      const found = await store.one(account, email);
      if (found) return found;
      const assertRoom = async (more: number) => {
        if ((await store.ofAccount(account)).length + more <= most) return;
        throw new AccountError(`An account has at most ${most} members. Remove somebody first.`);
      };
      await assertRoom(1);
      const member: Member = {
        kind: "member",
        account,
        email,
        stamp: randomUUID(),
        added_at: new Date(now()).toISOString(),
        added_by: actor,
      };
      const status = await create(member, { email });
      // Somebody else was faster.
      if (status === 409) return (await store.one(account, email)) ?? member;
      const mayStayHere = async () => {
        await assertRoom(0);
        await mayStay();
      };
      await assertStays(mayStayHere, () => store.remove(account, email));
      return member;
    },
    async remove(account, email, { keepLast = false } = {}) {
      const id = memberDocumentId(account, email);
      const found = await read(id);
      if (!found.found) {
        // A removal that did not reach Redis can be repeated.
        const { signOuts } = await readMemberships(client, index, { account, emails: [] });
        if (signOuts >= 0) await copies?.keepSignOuts(account, signOuts);
        return false;
      }
      const last = new AccountError(`${email} is the last member of the account. Add somebody else first.`);
      if (keepLast && (await store.ofAccount(account)).length < 2) throw last;
      const status = await write(
        [{ delete: { _index: index, _id: id } }],
        entry("member.remove", account, { details: { email } }),
      );
      if (status !== 404 && keepLast && (await store.ofAccount(account)).length === 0) {
        await create(found._source!, { email, reason: "the last member stays" });
        throw last;
      }
      return status !== 404;
    },
    async signOut(account, email) {
      const id = memberDocumentId(account, email);
      const noted = entry("session.end_all", account, { details: { member: email } });
      const done = await retryConflicts(async () => {
        const found = await read(id);
        if (!found.found) return true;
        const guard = { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! };
        const change = { ...found._source!, stamp: randomUUID() };
        const status = await write([{ index: { _index: index, _id: id, ...guard } }, change], noted);
        return status === 409 ? undefined : true;
      });
      if (!done) throw new AccountError("Others are changing the same member at this moment. Try again.");
    },
    async one(account, email) {
      const found = await read(memberDocumentId(account, email));
      return found.found ? found._source : undefined;
    },
    ofAccount: (account) => members({ term: { account } }),
    ofEmail: (email) => members({ term: { email } }),
  };
  return store;
}
