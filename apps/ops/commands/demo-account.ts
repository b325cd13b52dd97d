import { readFileSync, writeFileSync } from "node:fs";
import { handleOfKey, hashOfKey } from "@tranche/shared/accounts/api-key";
import type { Account, AccountStore } from "@tranche/shared/accounts/account-store";
import { Command } from "commander";
import type { Ops } from "../context/ops.ts";

const MEMBER = "demo@example.com";

/** `npm start` calls this at each start. It revokes nothing, and finds the account by the key that is kept. */
export function demoAccountCommand(ops: Ops): Command {
  return new Command("demo-account")
    .description(
      "Show the key of the demo account (plan scale) and a link that signs in to its dashboard. The key is kept in a file; a key that no longer works is replaced, and so is an account that is not active.",
    )
    .requiredOption("--key-file <file>", "where the key is kept, for its owner alone")
    .action(async ({ keyFile }: { keyFile: string }) => {
      const store = await ops.accounts();
      const kept = readKept(keyFile);
      const works = kept !== undefined && (await isUsable(store, kept));
      const { memberStores } = await import("../accounts/member-stores.ts");
      // Without the file, the account is that of the demo's member.
      const members = await memberStores(await ops.engines()).members.ofEmail(MEMBER);
      const handles = [kept && handleOfKey(kept), ...members.map((member) => member.account)];
      const account =
        (await firstActive(store, handles)) ?? (await store.createAccount({ name: "Demo", plan: "scale" }));
      const key = works ? kept : (await store.createKey({ account: account.account, name: "demo" })).key;
      if (!works) writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
      const { signInLink } = await import("../accounts/sign-in-link.ts");
      const url = await signInLink(await ops.engines(), { account: account.account, email: MEMBER });
      ops.terminal.show(
        { id: account.account, name: account.name, plan: account.plan, key, sign_in_url: url },
        `Account ${account.account} (${account.name}) on plan ${account.plan}.\nKey (kept in ${keyFile}): ${key}\nSign in: ${url}`,
      );
    });
}

async function firstActive(
  store: AccountStore,
  handles: readonly (string | undefined)[],
): Promise<Account | undefined> {
  for (const handle of handles) {
    const account = handle && (await store.account(handle));
    if (account && account.status === "active") return account;
  }
  return undefined;
}

function readKept(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether a key of this installation works: another one's engines may be in use. */
async function isUsable(store: AccountStore, kept: string): Promise<boolean> {
  const handle = handleOfKey(kept);
  const caller = handle === undefined ? undefined : await store.caller(handle, hashOfKey(kept));
  if (caller === undefined || caller.account.status !== "active") return false;
  const { revoked_at, expires_at } = caller.key;
  return revoked_at === null && (expires_at === null || expires_at > new Date().toISOString());
}
