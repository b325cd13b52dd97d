import type { Client } from "@elastic/elasticsearch";
import { assertNoneFailed } from "../engines/search/bulk-results.ts";
import type { IndexNames } from "../engines/search/index-names.ts";
import type { AuditEntry } from "./audit.ts";
import type { HotCopies } from "./hot-copies.ts";
import { signOutsId } from "./membership.ts";

/**
 * Writes changes of a member or a grant and their audit entry in one request, and after the changes the account's sign-out, by which the API
 * reads sessions and access tokens again. Resolves, when no process admits what the changes end, with the status of the last of them.
 */
export type WriteWithSignOut = (changes: object[], noted: AuditEntry) => Promise<number>;

export function createWriteWithSignOut(
  client: Client,
  names: Pick<IndexNames, "accounts" | "dashboard">,
  copies: Pick<HotCopies, "keepSignOuts"> | undefined,
): WriteWithSignOut {
  return async (changes, noted) => {
    const account = noted.account!;
    const operations = [
      ...changes,
      { index: { _index: names.dashboard, _id: signOutsId(account) } },
      { kind: "signouts", account },
      { index: { _index: names.accounts, _id: `audit:${noted.audit_id}` } },
      noted,
    ];
    const answer = await client.bulk({ refresh: true, operations });
    assertNoneFailed(answer, [404, 409]);
    const [changed, signOuts] = answer.items.slice(-3).map((item) => Object.values(item)[0]!);
    await copies?.keepSignOuts(account, signOuts!._seq_no!);
    return changed!.status;
  };
}
