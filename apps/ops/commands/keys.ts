import type { KeyRecord } from "@tranche/shared/accounts/account-store";
import { Command } from "commander";
import { z } from "zod";
import type { Ops } from "../ops.ts";
import { Failure, WrongUsage } from "../terminal/failure.ts";
import { table } from "../terminal/table.ts";
import { accountStore } from "./accounts.ts";

export function keysCommand(ops: Ops): Command {
  const keys = new Command("keys").description("API keys of accounts. A key is shown once, when it is made.");

  keys
    .command("create")
    .description("Makes another key of an account. All keys of an account share its limits.")
    .requiredOption("--account <id>", "the account's id, as `ops accounts list` shows it")
    .option("--name <name>", "what it is for", "key")
    .option(
      "--expires <date>",
      "from when on it no longer holds: YYYY-MM-DD (00:00 UTC) or a time such as 2027-01-31T18:00:00Z",
    )
    .addHelpText(
      "after",
      '\nExample:\n  ops keys create --account 8kQ2mZ0a --name "nightly export" --expires 2027-12-31',
    )
    .action(async ({ account, name, expires }: { account: string; name: string; expires?: string }) => {
      const expiresAt = expires === undefined ? undefined : expiry(expires, Date.now());
      const store = await accountStore(ops);
      showNewKey(ops, await store.createKey({ account, name, ...(expiresAt ? { expiresAt } : {}) }));
    });

  keys
    .command("list")
    .description("Lists the keys of an account, revoked ones too; never the keys themselves.")
    .requiredOption("--account <id>", "the account's id, as `ops accounts list` shows it")
    .action(async ({ account }: { account: string }) => {
      const store = await accountStore(ops);
      if (!(await store.account(account)))
        throw new Failure(`There is no account '${account}'. \`ops accounts list\` shows them.`);
      const all = await store.keys(account);
      ops.terminal.show(
        all.map(shownKey),
        table(
          ["key id", "begins", "name", "created", "last used", "expires", "revoked"],
          all.map((key) => [
            key.key_id,
            key.prefix,
            key.name,
            key.created_at,
            key.last_used_at ?? "",
            key.expires_at ?? "",
            key.revoked_at ?? "",
          ]),
          "The account has no key: `ops keys create --account A` makes one.",
        ),
      );
    });

  keys
    .command("rotate")
    .description("Makes a new key with the name and expiry of another, which ends: at once, or after an overlap.")
    .argument("<key-id>", "as `ops keys list` shows it")
    .option("--overlap <time>", "for how long the old key still holds, such as 90s, 30m, 24h or 7d", "0s")
    .addHelpText("after", "\nExample:\n  ops keys rotate 0b6f3f5e-4d3c-4c43-9a39-0f5a5f2c7f11 --overlap 24h")
    .action(async (keyId: string, { overlap }: { overlap: string }) => {
      const { old, ...made } = await (await accountStore(ops)).rotateKey(keyId, overlapSeconds(overlap));
      const ends = old.revoked_at === null ? `holds until ${old.expires_at}` : "is revoked";
      ops.terminal.tell(`The old key ${old.key_id} ${ends}.`);
      showNewKey(ops, made);
    });

  keys
    .command("revoke")
    .description("Ends a key: within a second it opens nothing any more.")
    .argument("<key-id>", "as `ops keys list` shows it")
    .action(async (keyId: string) => {
      const revoked = await (await accountStore(ops)).revokeKey(keyId);
      ops.terminal.show(shownKey(revoked), `Key ${revoked.key_id} (${revoked.name}) is revoked.`);
    });

  return keys;
}

function showNewKey(ops: Ops, { key, record }: { key: string; record: KeyRecord }): void {
  ops.terminal.show({ ...shownKey(record), key }, `Key ${record.key_id} (${record.name}).\nShown only now: ${key}`);
}

function shownKey({ key_id, account, prefix, name, created_at, last_used_at, expires_at, revoked_at }: KeyRecord) {
  return { key_id, account, prefix, name, created_at, last_used_at: last_used_at ?? null, expires_at, revoked_at };
}

const moment = z.iso.date().or(z.iso.datetime({ offset: true }));

/** An expiry as ISO time. `now` in ms; throws WrongUsage when it is no date or not in the future. */
export function expiry(text: string, now: number): string {
  const parsed = moment.safeParse(text);
  if (!parsed.success)
    throw new WrongUsage(
      `--expires: '${text}' is no date; expected YYYY-MM-DD or a time such as 2027-01-31T18:00:00Z.`,
    );
  const at = Date.parse(parsed.data);
  if (at <= now) throw new WrongUsage(`--expires: ${text} is not in the future.`);
  return new Date(at).toISOString();
}

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A length of time such as 24h, in seconds. Throws WrongUsage. */
export function overlapSeconds(text: string): number {
  const match = /^(\d{1,9})([smhd])$/.exec(text);
  if (!match)
    throw new WrongUsage(`--overlap: '${text}' is no length of time; expected one such as 90s, 30m, 24h or 7d.`);
  return Number(match[1]) * UNITS[match[2]!]!;
}
