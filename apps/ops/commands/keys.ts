import type { KeyRecord } from "@tranche/shared/accounts/account-store";
import { Command } from "commander";
import type { Ops } from "../context/ops.ts";
import { keyTable, shownKey } from "../accounts/shown-key.ts";
import { ACCOUNT, accountFor } from "./account-option.ts";

const KEY_ID = ["<key-id>", "the key's id, as `ops keys list` shows it"] as const;

export function keysCommand(ops: Ops): Command {
  const keys = new Command("keys")
    .summary("Manage API keys")
    .description("Manage the API keys of accounts. A key is shown only once, when it is created.");

  keys
    .command("create")
    .summary("Create another key for an account")
    .description("Create another key for an account. All keys of an account share its limits.")
    .requiredOption(...ACCOUNT)
    .option("--name <name>", "what the key is used for", "key")
    .option("--expires <date>", "when the key expires: YYYY-MM-DD (00:00 UTC) or a time like 2027-01-31T18:00:00Z")
    .addHelpText(
      "after",
      '\nExample:\n  ops keys create --account 8kQ2mZ0a --name "nightly export" --expires 2027-12-31',
    )
    .action(async ({ account, name, expires }: { account: string; name: string; expires?: string }) => {
      const { expiry } = await import("../accounts/times.ts");
      const { nameOf } = await import("../accounts/name.ts");
      const called = nameOf(name);
      const expiresAt = expires === undefined ? undefined : expiry(expires, Date.now());
      const owner = await accountFor(ops, account);
      const store = await ops.accounts();
      showNewKey(
        ops,
        await store.createKey({ account: owner.account, name: called, ...(expiresAt ? { expiresAt } : {}) }),
      );
    });

  keys
    .command("list")
    .description("List the keys of an account, including revoked ones. The keys themselves are never shown.")
    .requiredOption(...ACCOUNT)
    .action(async ({ account }: { account: string }) => {
      const keysOfAccount = await (await ops.accounts()).keys((await accountFor(ops, account)).account);
      ops.terminal.show(keysOfAccount.map(shownKey), keyTable(keysOfAccount));
    });

  keys
    .command("rotate")
    .summary("Replace a key with a new one")
    .description("Create a key with the name and expiry of another and revoke the old one, at once or after --overlap.")
    .argument(...KEY_ID)
    .option("--overlap <time>", "how long the old key keeps working, like 90s, 30m, 24h or 7d", "0s")
    .addHelpText("after", "\nExample:\n  ops keys rotate 0b6f3f5e-4d3c-4c43-9a39-0f5a5f2c7f11 --overlap 24h")
    .action(async (keyId: string, { overlap }: { overlap: string }) => {
      const { overlapSeconds } = await import("../accounts/times.ts");
      const { old, ...made } = await (await ops.accounts()).rotateKey(keyId, overlapSeconds(overlap));
      const ends = old.revoked_at === null ? `works until ${old.expires_at}` : "is revoked";
      ops.terminal.tell(`The old key ${old.key_id} ${ends}.`);
      showNewKey(ops, made);
    });

  keys
    .command("revoke")
    .description("Revoke a key. It stops working within one second.")
    .argument(...KEY_ID)
    .action(async (keyId: string) => {
      const revoked = await (await ops.accounts()).revokeKey(keyId);
      ops.terminal.show(shownKey(revoked), `Key ${revoked.key_id} (${revoked.name}) is revoked.`);
    });

  return keys;
}

function showNewKey(ops: Ops, { key, record }: { key: string; record: KeyRecord }): void {
  ops.terminal.show(
    { ...shownKey(record), key },
    `Created key ${record.key_id} (${record.name}).\nKey (shown only once): ${key}`,
  );
}
