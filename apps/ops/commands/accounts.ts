import type { Account } from "@tranche/shared/accounts/account-store";
import { Command } from "commander";
import type { Ops } from "../ops.ts";
import { WrongUsage } from "../terminal/failure.ts";
import { table } from "../terminal/table.ts";

const ACCOUNT = ["--account <id>", "the account's id, as `ops accounts list` shows it"] as const;
const PLAN = ["--plan <plan>", "starter, growth, scale, or a plan of your plans file"] as const;

export function accountsCommand(ops: Ops): Command {
  const accounts = new Command("accounts").summary("Manage accounts").description("Manage accounts and their plans.");

  accounts
    .command("create")
    .summary("Create an account and its first key")
    .description("Create an account and its first key. The key is shown only once.")
    .requiredOption("--name <name>", "a name for people, up to 200 characters")
    .requiredOption(...PLAN)
    .addHelpText("after", '\nExample:\n  ops accounts create --name "Acme Research" --plan growth')
    .action(async ({ name, plan }: { name: string; plan: string }) => {
      const { planInForce } = await import("../accounts/plan.ts");
      assertName(name);
      const known = await planInForce(ops, plan);
      const store = await ops.accounts();
      const account = await store.createAccount({ name: name.trim(), plan: known });
      const { key } = await store.createKey({ account: account.account, name: "first key" });
      ops.terminal.show(
        { id: account.account, name: account.name, plan: account.plan, key },
        `Created account ${account.account} (${account.name}) on plan ${account.plan}.\nKey (shown only once): ${key}`,
      );
    });

  accounts
    .command("list")
    .description("List all accounts, oldest first.")
    .action(async () => {
      const all = await (await ops.accounts()).accounts();
      ops.terminal.show(
        all.map(shownAccount),
        table(
          ["account", "name", "plan", "status", "created"],
          all.map((account) => [account.account, account.name, account.plan, account.status, account.created_at]),
          "There are no accounts yet. Create one with `ops accounts create --name N --plan P`.",
        ),
      );
    });

  accounts
    .command("set-plan")
    .description("Change the plan of an account. Usage this month carries over.")
    .requiredOption(...ACCOUNT)
    .requiredOption(...PLAN)
    .addHelpText("after", "\nExample:\n  ops accounts set-plan --account 8kQ2mZ0a --plan scale")
    .action(async ({ account, plan }: { account: string; plan: string }) => {
      const { planInForce } = await import("../accounts/plan.ts");
      const known = await planInForce(ops, plan);
      const changed = await (await ops.accounts()).setPlan(account, known);
      ops.terminal.show(
        shownAccount(changed),
        `Account ${changed.account} (${changed.name}) is now on plan ${changed.plan}.`,
      );
    });

  accounts
    .command("suspend")
    .description("Suspend an account. All its keys stop working within one second, until it is resumed.")
    .requiredOption(...ACCOUNT)
    .option("--reason <text>", "reason, for the audit log")
    .action(async ({ account, reason }: { account: string; reason?: string }) => {
      showStatus(ops, await (await ops.accounts()).suspend(account, reason));
    });

  accounts
    .command("resume")
    .description("Reactivate a suspended account.")
    .requiredOption(...ACCOUNT)
    .action(async ({ account }: { account: string }) => {
      showStatus(ops, await (await ops.accounts()).resume(account));
    });

  accounts
    .command("delete")
    .description("Delete an account for good and revoke its keys. The audit log keeps its entries.")
    .requiredOption(...ACCOUNT)
    .option("--yes", "confirm the deletion")
    .action(async ({ account, yes }: { account: string; yes?: true }) => {
      if (!yes) throw new WrongUsage(`This can't be undone. Add --yes to delete the account ${account}.`);
      showStatus(ops, await (await ops.accounts()).remove(account));
    });

  return accounts;
}

function showStatus(ops: Ops, account: Account): void {
  ops.terminal.show(shownAccount(account), `Account ${account.account} (${account.name}) is now ${account.status}.`);
}

function shownAccount({ account, name, plan, status, created_at }: Account) {
  return { id: account, name, plan, status, created_at };
}

function assertName(name: string): void {
  if (name.trim() === "" || name.length > 200) throw new WrongUsage("--name must be a text of 1 to 200 characters.");
}
