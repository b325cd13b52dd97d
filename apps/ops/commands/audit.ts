import type { AuditEntry } from "@tranche/shared/accounts/audit";
import { Command } from "commander";
import type { Ops } from "../context/ops.ts";
import { WrongUsage } from "../terminal/failure.ts";
import { table } from "../terminal/table.ts";
import { accountFor } from "./account-option.ts";

const MOST = 10_000;

export function auditCommand(ops: Ops): Command {
  return new Command("audit")
    .summary("Show the audit log")
    .description(
      "Show the audit log, newest first: changes to accounts and keys, ingest, reindex, rollback,\n" +
        "retried and discarded dead letters, verify --repair.",
    )
    .option("--account <account>", "only entries of this account, given by id or name")
    .option("--limit <n>", `the number of entries to show, up to ${MOST}`, "100")
    .addHelpText("after", "\nExample:\n  ops audit --account 8kQ2mZ0a --limit 20")
    .action(async ({ account, limit }: { account?: string; limit: string }) => {
      const most = Number(limit);
      if (!/^\d+$/.test(limit) || most < 1 || most > MOST) {
        throw new WrongUsage(`--limit: '${limit}' is not a whole number from 1 to ${MOST}.`);
      }
      const of = account === undefined ? {} : { account: (await accountFor(ops, account)).account };
      const entries = await (await ops.accounts()).audit({ ...of, limit: most });
      ops.terminal.show(
        entries.map(shownEntry),
        table(
          ["when", "who", "what", "account", "key id", "details"],
          entries.map(({ at, actor, action, account: owner, key_id, details }) => {
            const shown = Object.entries(details ?? {}).map(([name, value]) => `${name}: ${value}`);
            return [at, actor, action, owner ?? "", key_id ?? "", shown.join("; ")];
          }),
          "The audit log is empty.",
        ),
      );
    });
}

function shownEntry({ audit_id, at, actor, action, account, key_id, details }: AuditEntry) {
  return { id: audit_id, at, actor, action, account: account ?? null, key_id: key_id ?? null, details: details ?? {} };
}
