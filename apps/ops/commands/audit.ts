import { auditView } from "@tranche/operations/accounts/audit-view";
import { Command } from "commander";
import type { Ops } from "../context/ops.ts";
import { listed } from "../terminal/table.ts";
import { accountFor, wholeNumber } from "./options.ts";

const MOST = 10_000;

export function auditCommand(ops: Ops): Command {
  return new Command("audit")
    .summary("Show the audit log")
    .description(
      "Show the audit log, newest first: changes to accounts and keys, ingest, reindex, rollback, " +
        "retried and discarded dead letters, verify --repair.",
    )
    .option("--account <account>", "only entries of this account, given by id or name")
    .option("--limit <n>", `the number of entries to show, up to ${MOST}`, wholeNumber(MOST), 100)
    .addHelpText("after", "\nExample:\n  ops audit --account 8kQ2mZ0a --limit 20")
    .action(async ({ account, limit }: { account?: string; limit: number }) => {
      const of = account === undefined ? {} : { account: (await accountFor(ops, account)).account };
      const entries = await (await ops.doing()).accounts.audit({ ...of, limit });
      ops.terminal.show(
        entries.map(auditView),
        listed(entries, {
          columns: {
            when: "at",
            who: "actor",
            what: "action",
            account: "account",
            "key id": "key_id",
            details: ({ details = {} }) =>
              Object.entries(details)
                .map(([name, value]) => `${name}: ${value}`)
                .join("; "),
          },
          empty: "The audit log is empty.",
        }),
      );
    });
}
