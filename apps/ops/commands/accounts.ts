import type { Account } from "@tranche/shared/accounts/account-store";
import { Command } from "commander";
import type { Overview } from "@tranche/operations/accounts/overview";
import type { Ops } from "../context/ops.ts";
import { WrongUsage } from "../terminal/failure.ts";
import { counted, shownNumber } from "@tranche/shared/domain/text/numbers";
import { table } from "../terminal/table.ts";
import { keyTable, shownKey } from "../accounts/shown-key.ts";
import { ACCOUNT, accountFor } from "./account-option.ts";
import { addMember, emailFor, memberCommands, ROLE, roleFor } from "./members.ts";

const PLAN = ["--plan <plan>", "starter, growth, scale, or a plan of your plans file"] as const;

export function accountsCommand(ops: Ops): Command {
  const accounts = new Command("accounts").summary("Manage accounts").description("Manage accounts and their plans.");

  accounts
    .command("create")
    .summary("Create an account and its first key")
    .description("Create an account and its first key. The key is shown only once.")
    .requiredOption("--name <name>", "a name for people, up to 200 characters")
    .requiredOption(...PLAN)
    .option("--member <address>", "e-mail address of somebody who may sign in to its dashboard")
    .option(...ROLE)
    .addHelpText(
      "after",
      '\nExample:\n  ops accounts create --name "Acme Research" --plan growth --member ada@example.com',
    )
    .action(async ({ name, plan, ...of }: { name: string; plan: string; member?: string; role: string }) => {
      const role = roleFor(of.role);
      const email = of.member === undefined ? undefined : await emailFor(of.member);
      const { planInForce } = await import("../accounts/plan.ts");
      const { nameOf } = await import("../accounts/name.ts");
      const called = nameOf(name);
      const known = await planInForce(ops, plan);
      const store = await ops.accounts();
      const account = await store.createAccount({ name: called, plan: known });
      const { key } = await store.createKey({ account: account.account, name: "first key" });
      const member = email === undefined ? undefined : await addMember(ops, { account: account.account, email, role });
      ops.terminal.show(
        { id: account.account, name: account.name, plan: account.plan, key, ...(member ? { member } : {}) },
        [
          `Created account ${account.account} (${account.name}) on plan ${account.plan}.`,
          `Key (shown only once): ${key}`,
          ...(member ? [`Member: ${member.email} (${member.role})`] : []),
        ].join("\n"),
      );
    });

  accounts
    .command("list")
    .description("List all accounts with their use, oldest first.")
    .action(async () => {
      const { overviews } = await import("@tranche/operations/accounts/overview");
      const store = await ops.accounts();
      const all = await overviews(await ops.engines(), store, await store.accounts());
      ops.terminal.show(
        all.map(shownOverview),
        table(
          ["account", "name", "plan", "status", "created", "working keys", "requests this month", "last used"],
          all.map((each) => [
            each.account,
            each.name,
            each.plan,
            each.status,
            each.created_at,
            each.working_keys,
            shownNumber(each.requests_this_month),
            each.last_used_at ?? "",
          ]),
          "There are no accounts yet. Create one with `ops accounts create --name N --plan P`.",
        ),
      );
    });

  accounts
    .command("show")
    .description("Show an account with its use and its keys.")
    .requiredOption(...ACCOUNT)
    .action(async ({ account }: { account: string }) => {
      const { overviews } = await import("@tranche/operations/accounts/overview");
      const store = await ops.accounts();
      const found = await accountFor(ops, account);
      const [[overview], keys] = await Promise.all([
        overviews(await ops.engines(), store, [found]),
        store.keys(found.account),
      ]);
      ops.terminal.show(
        { ...shownOverview(overview!), keys: keys.map(shownKey) },
        `${overviewText(overview!)}\n${keyTable(keys)}`,
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
      const changed = await (await ops.accounts()).setPlan((await accountFor(ops, account)).account, known);
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
      showStatus(ops, await (await ops.accounts()).suspend((await accountFor(ops, account)).account, reason));
    });

  accounts
    .command("resume")
    .description("Reactivate a suspended account.")
    .requiredOption(...ACCOUNT)
    .action(async ({ account }: { account: string }) => {
      showStatus(ops, await (await ops.accounts()).resume((await accountFor(ops, account)).account));
    });

  accounts
    .command("delete")
    .description("Delete an account for good and revoke its keys. The audit log keeps its entries.")
    .requiredOption(...ACCOUNT)
    .option("--yes", "confirm the deletion")
    .action(async ({ account, yes }: { account: string; yes?: true }) => {
      const found = await accountFor(ops, account);
      if (!yes) {
        throw new WrongUsage(
          `This can't be undone. Add --yes to delete the account ${found.account} (${found.name}) and revoke its keys.`,
        );
      }
      showStatus(ops, await (await ops.accounts()).remove(found.account));
    });

  for (const command of memberCommands(ops)) accounts.addCommand(command);
  return accounts;
}

function showStatus(ops: Ops, account: Account): void {
  ops.terminal.show(shownAccount(account), `Account ${account.account} (${account.name}) is now ${account.status}.`);
}

function shownAccount({ account, name, plan, status, created_at }: Account) {
  return { id: account, name, plan, status, created_at };
}

function shownOverview(overview: Overview) {
  const { working_keys, requests_this_month, last_used_at } = overview;
  return { ...shownAccount(overview), working_keys, requests_this_month, last_used_at };
}

function overviewText({
  account,
  name,
  plan,
  status,
  created_at,
  requests_this_month,
  last_used_at,
}: Overview): string {
  return [
    `Account ${account} (${name}) on plan ${plan}, ${status}, created at ${created_at}`,
    `${counted(requests_this_month, "request")} this month, ${last_used_at ? `last used at ${last_used_at}` : "never used"}`,
  ].join("\n");
}
