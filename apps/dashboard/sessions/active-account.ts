import type { Account } from "@tranche/shared/accounts/account";
import { PageError } from "@tranche/http/errors/page-error";

/** Throws `account_suspended`: members of a suspended account can look, revoke, pause and delete, but create and change nothing. */
export function assertActive({ status }: Account): void {
  if (status !== "active") throw new PageError("account_suspended", "This account is suspended.");
}
