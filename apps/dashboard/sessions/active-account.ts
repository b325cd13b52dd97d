import type { Account } from "@tranche/shared/accounts/account";
import { DashboardError } from "../errors/dashboard-error.ts";

/** Throws `account_suspended`: members of a suspended account can look, revoke, pause and delete, but create and change nothing. */
export function assertActive({ status }: Account): void {
  if (status !== "active") throw new DashboardError("account_suspended", "This account is suspended.");
}
