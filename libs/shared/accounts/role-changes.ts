import type { Client } from "@elastic/elasticsearch";
import { assertNoneFailed } from "../engines/search/bulk-results.ts";
import type { IndexNames } from "../engines/search/index-names.ts";
import { retryConflicts } from "../engines/search/retry-conflicts.ts";
import { wholeDocuments } from "../engines/search/retry-forever.ts";
import { AccountError } from "./account.ts";
import type { AuditEntry } from "./audit.ts";
import { memberDocumentId } from "./membership.ts";
import { readRoles } from "./read-roles.ts";
import { adminsOf, type Roles } from "./role.ts";
import type { WriteWithSignOut } from "./sign-out-writes.ts";

/** Raised where a change would leave an account without an admin. */
export class LastAdmin extends AccountError {}

/** Changes of the roles of an account, whoever else changes them at the same time. */
export function createRoleChanges(
  client: Client,
  { accounts, dashboard: index }: Pick<IndexNames, "accounts" | "dashboard">,
  write: WriteWithSignOut,
) {
  return {
    /**
     * Reads the roles of an account and writes what `next` makes of them, as one step. `next` gives undefined when nothing changes. An
     * attempt that was refused in the end stays in the audit log as such.
     */
    async make(
      auditEntry: AuditEntry,
      next: (roles: Roles) => Promise<{ roles: Roles; entry: AuditEntry } | undefined>,
    ): Promise<void> {
      let tried: AuditEntry | undefined;
      try {
        const done = await retryConflicts(async () => {
          const { roles, replaceWith } = await readRoles(client, index, auditEntry.account!);
          const wanted = await next(roles);
          if (!wanted) return true;
          tried = wanted.entry;
          const status = await write(replaceWith(wanted.roles), wanted.entry);
          return status === 409 ? undefined : true;
        });
        if (!done) throw new AccountError("Others are changing the members at this moment. Try again.");
      } catch (error) {
        if (tried && error instanceof AccountError) {
          const document = { ...tried, details: { ...tried.details, outcome: `refused: ${error.message}` } };
          await client.index({ index: accounts, id: `audit:${tried.audit_id}`, document, refresh: true });
        }
        throw error;
      }
    },

    /** Forgets the addresses of those who were removed: of this removal, and of those in which the process died. */
    async forgetRemoved(account: string): Promise<void> {
      await retryConflicts(async () => {
        const { roles, replaceWith } = await readRoles(client, index, account);
        const without = Object.keys(roles).filter((email) => roles[email] === null);
        if (without.length === 0) return true;
        const ids = without.map((email) => memberDocumentId(account, email));
        const members = wholeDocuments(await client.mget({ index, ids, _source: false }));
        // Somebody who is still there is being removed at this moment.
        const gone = new Set(without.filter((_, n) => !members[n]!.found));
        if (gone.size === 0) return true;
        const kept = Object.fromEntries(Object.entries(roles).filter(([email]) => !gone.has(email)));
        const answer = await client.bulk({ refresh: true, operations: replaceWith(kept) });
        assertNoneFailed(answer, [409]);
        return answer.errors ? undefined : true;
      });
    },

    /** Throws unless another admin than this one is a member. */
    async assertOtherAdmin(account: string, roles: Roles, email: string): Promise<void> {
      const ids = adminsOf(roles).flatMap((other) => (other === email ? [] : [memberDocumentId(account, other)]));
      const others = ids.length === 0 ? [] : wholeDocuments(await client.mget({ index, ids, _source: false }));
      if (others.some(({ found }) => found)) return;
      throw new LastAdmin(`${email} is the last admin of the account. Make somebody else an admin first.`);
    },
  };
}
