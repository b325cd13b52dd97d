import type { Account } from "@tranche/shared/accounts/account-store";
import type { Ops } from "../context/ops.ts";

/** The option that names an account. */
export const ACCOUNT = ["--account <account>", "the account's id, or its name if no other account has it"] as const;

/** The account that an option names. */
export async function accountFor(ops: Ops, text: string): Promise<Account> {
  const { findAccount } = await import("../accounts/find.ts");
  return findAccount((await ops.doing()).accounts, text);
}
