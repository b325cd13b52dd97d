import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { AccountError } from "./account.ts";
import { assertStays, type MayStay } from "./assert-stays.ts";
import { createAuditedDocuments } from "./documents.ts";
import type { HotCopies } from "./hot-copies.ts";
import { memberDocumentId, readMemberships, rolesId } from "./membership.ts";
import { createWriteWithSignOut } from "./sign-out-writes.ts";
import type { IndexNames } from "../engines/search/index-names.ts";
import { retryConflicts } from "../engines/search/retry-conflicts.ts";
import type { Member, MemberWithRole } from "./member.ts";
import { membersOfAccount, readMembers } from "./read-members.ts";
import { readRoles, storedRoles } from "./read-roles.ts";
import { mayDo, type Role, roleOf } from "./role.ts";
import { createRoleChanges, LastAdmin } from "./role-changes.ts";
import { signInNoteId } from "./sign-ins.ts";

/** Members of accounts. Changes go to the audit log. Rejects with an AccountError for people. */
export type MemberStore = {
  /**
   * Adding somebody again changes nothing, their role neither. `most`: how many members the account may have. Somebody who may not stay, but is
   * the last admin by now, stays all the same.
   */
  add(
    input: { account: string; email: string; role: Role },
    options?: { most?: number; mayStay?: MayStay },
  ): Promise<MemberWithRole>;
  /**
   * When it resolves, no session of the member is admitted anywhere, and none of their links works. False when they were no member. With
   * `keepAdmin` the last admin can't be removed.
   */
  remove(account: string, email: string, options?: { keepAdmin?: boolean }): Promise<boolean>;
  /**
   * Gives a member another role, from their next request on. False when they are no member. The last admin can't get a lower one: of several
   * changes at once that would leave no admin, at least one rejects.
   */
  setRole(account: string, email: string, role: Role, mayStay?: MayStay): Promise<boolean>;
  /** Signs a member out everywhere: when it resolves, sessions and links from before are over, as after a removal. */
  signOut(account: string, email: string): Promise<void>;
  /** In real time; undefined when they are no member. */
  one(account: string, email: string): Promise<MemberWithRole | undefined>;
  /** The members of an account, by address. */
  ofAccount(account: string): Promise<MemberWithRole[]>;
  /** The accounts that somebody is a member of. */
  ofEmail(email: string): Promise<Member[]>;
};

const RETRIES = 10;

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
  const read = (id: string) => client.get<Member>({ index, id }, { ignore: [404] });
  const write = createWriteWithSignOut(client, names, copies);
  const roleChanges = createRoleChanges(client, names, write);

  /** Takes the role of somebody away, whatever others do to the roles at the same time. */
  const withoutRole = (account: string, email: string): object[] => [
    { update: { _index: index, _id: rolesId(account), retry_on_conflict: RETRIES } },
    { doc: { roles: { [email]: null } } },
  ];

  const store: MemberStore = {
    async add({ account, email, role }, { most = Number.POSITIVE_INFINITY, mayStay = async () => {} } = {}) {
      const found = await store.one(account, email);
      if (found) return found;
      const assertRoom = async (more: number) => {
        if ((await membersOfAccount(client, index, account)).length + more <= most) return;
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
      const auditEntry = entry("member.add", account, { details: { email, role } });
      // Before the member, because they would be an admin otherwise. Without a role of their own they are a viewer.
      await readRoles(client, index, account);
      const creation = [{ create: { _index: index, _id: memberDocumentId(account, email) } }, member];
      const created = await write(creation, auditEntry);
      // Somebody else was faster.
      if (created === 409) return (await store.one(account, email)) ?? { ...member, role };
      const mayStayHere = async () => {
        await roleChanges.make(auditEntry, async (roles) => {
          const has = Object.hasOwn(roles, email) ? roles[email] : "viewer";
          return has === role ? undefined : { roles: { ...roles, [email]: role }, entry: auditEntry };
        });
        await assertRoom(0);
        await mayStay();
      };
      await assertStays(mayStayHere, async () => {
        try {
          // Only an admin can be the last one; the others go without a comparison, which many at once would lose.
          await store.remove(account, email, { keepAdmin: role === "admin" });
        } catch (error) {
          // Meanwhile the new admin has removed the others. Without them the account would have none.
          if (!(error instanceof LastAdmin)) throw error;
        }
      });
      return { ...member, role };
    },
    async remove(account, email, { keepAdmin = false } = {}) {
      const id = memberDocumentId(account, email);
      if (!(await read(id)).found) {
        // A removal that did not reach Redis can be repeated.
        const { signOuts } = await readMemberships(client, index, { account, emails: [] });
        if (signOuts >= 0) await copies?.keepSignOuts(account, signOuts);
        await roleChanges.forgetRemoved(account);
        return false;
      }
      const auditEntry = entry("member.remove", account, { details: { email } });
      // The role goes first, and nobody gives them another one from then on.
      if (keepAdmin) {
        await roleChanges.make(auditEntry, async (roles) => {
          if (roles[email] === null) return undefined;
          if (roleOf(roles, email) === "admin") await roleChanges.assertOtherAdmin(account, roles, email);
          return { roles: { ...roles, [email]: null }, entry: auditEntry };
        });
      }
      const operations = [
        ...withoutRole(account, email),
        { delete: { _index: index, _id: signInNoteId(account, email) } },
        { delete: { _index: index, _id: id } },
      ];
      const status = await write(operations, auditEntry);
      await roleChanges.forgetRemoved(account);
      return status !== 404;
    },
    async setRole(account, email, role, mayStay = async () => {}) {
      let isMember = true;
      let before = role;
      const give = (to: Role, reason?: { reason: string }) => {
        const auditEntry = entry("member.role", account);
        return roleChanges.make(auditEntry, async (roles) => {
          // Somebody who is being removed is none any more.
          isMember = roles[email] !== null && (await read(memberDocumentId(account, email))).found;
          const from = roleOf(roles, email);
          if (!isMember || from === to) return undefined;
          if (from === "admin") await roleChanges.assertOtherAdmin(account, roles, email);
          before = from;
          return {
            roles: { ...roles, [email]: to },
            entry: { ...auditEntry, details: { email, from, to, ...reason } },
          };
        });
      };
      await give(role);
      // A lower role gives nobody anything.
      const [lower, higher] = [before, role];
      if (lower !== higher && mayDo(higher, lower)) {
        await assertStays(mayStay, () => give(lower, { reason: "the giver of the role has lost theirs" }));
      }
      return isMember;
    },
    async signOut(account, email) {
      const id = memberDocumentId(account, email);
      const auditEntry = entry("session.end_all", account, { details: { member: email } });
      const done = await retryConflicts(async () => {
        const found = await read(id);
        if (!found.found) return true;
        const guard = { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! };
        const change = { ...found._source!, stamp: randomUUID() };
        const status = await write([{ index: { _index: index, _id: id, ...guard } }, change], auditEntry);
        return status === 409 ? undefined : true;
      });
      if (!done) throw new AccountError("Others are changing the same member at this moment. Try again.");
    },
    async one(account, email) {
      const { _source: member } = await read(memberDocumentId(account, email));
      return member && { ...member, role: roleOf(await storedRoles(client, index, account), email) };
    },
    async ofAccount(account) {
      const members = await membersOfAccount(client, index, account);
      const roles = await storedRoles(client, index, account);
      return members.map((member) => ({ ...member, role: roleOf(roles, member.email) }));
    },
    ofEmail: (email) => readMembers(client, index, { term: { email } }),
  };
  return store;
}
