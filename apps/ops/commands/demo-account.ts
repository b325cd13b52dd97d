import { handleOfKey, hashOfKey, newApiKey, newHandle } from "@tranche/shared/accounts/api-key";
import type { Account, AccountStore } from "@tranche/shared/accounts/account-store";
import { readPrivate, writePrivate } from "@tranche/shared/process/private-file";
import { Command } from "commander";
import type { Ops } from "../context/ops.ts";

const MEMBER = "demo@example.com";

/**
 * `npm start` calls this at each start. It revokes nothing, and finds the account by the id in the key that is kept. Without that it makes
 * a new account: one that is found by its name or a member may be somebody's own.
 */
export function demoAccountCommand(ops: Ops): Command {
  return new Command("demo-account")
    .description(
      "Show the key of the demo account (plan scale) and a link that signs in to its dashboard. The key is kept in a file; a key that no longer works is replaced, and so is an account that is not active.",
    )
    .requiredOption("--key-file <file>", "where the key is kept, for its owner alone")
    .action(async ({ keyFile }: { keyFile: string }) => {
      const { accounts: store } = await ops.doing();
      const kept = readPrivate(keyFile);
      const works = kept !== undefined && (await isUsable(store, kept));
      const account = (await activeOf(store, kept)) ?? (await newAccount(store, keyFile));
      const key = works ? kept : (await store.createKey({ account: account.account, name: "demo" })).key;
      if (!works) writePrivate(keyFile, key);
      const { signInLink } = await import("@tranche/operations/accounts/sign-in-link");
      const { operator } = await import("../context/operator.ts");
      const url = await signInLink(await ops.engines(), operator(), {
        account: account.account,
        email: MEMBER,
        role: "admin",
      });
      ops.terminal.show(
        { id: account.account, name: account.name, plan: account.plan, key, sign_in_url: url },
        `Account ${account.account} (${account.name}) on plan ${account.plan}.\nKey (kept in ${keyFile}): ${key}\nSign in: ${url}`,
      );
    });
}

/** Makes the account. A key that names it is kept before, so that a kill in between does not lead to a second account. */
function newAccount(store: AccountStore, keyFile: string): Promise<Account> {
  const handle = newHandle();
  writePrivate(keyFile, newApiKey(handle));
  return store.createAccount({ name: "Demo", plan: "scale", handle });
}

/** The account of a key that may no longer work. */
async function activeOf(store: AccountStore, kept: string | undefined): Promise<Account | undefined> {
  const handle = kept === undefined ? undefined : handleOfKey(kept);
  const account = handle === undefined ? undefined : await store.account(handle);
  return account?.status === "active" ? account : undefined;
}

/** Whether a key of this installation works: another one's engines may be in use. */
async function isUsable(store: AccountStore, kept: string): Promise<boolean> {
  const handle = handleOfKey(kept);
  const caller = handle === undefined ? undefined : await store.caller(handle, hashOfKey(kept));
  if (caller === undefined || caller.account.status !== "active") return false;
  const { revoked_at, expires_at } = caller.key;
  return revoked_at === null && (expires_at === null || expires_at > new Date().toISOString());
}
