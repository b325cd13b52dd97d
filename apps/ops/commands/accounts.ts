import { type Account, createAccountStore } from "@tranche/shared/accounts/account-store";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import type { Plans } from "@tranche/shared/accounts/plans";
import { readPlans } from "@tranche/shared/settings/plans-file";
import { closest } from "@tranche/shared/text/closest";
import { Command } from "commander";
import { hostname, userInfo } from "node:os";
import type { Ops } from "../ops.ts";
import { WrongUsage } from "../terminal/failure.ts";
import { table } from "../terminal/table.ts";

export function accountsCommand(ops: Ops): Command {
  const accounts = new Command("accounts").description("Accounts: who may call, and on which plan.");

  accounts
    .command("create")
    .description("Makes an account and its first key. The key is shown once and never again.")
    .requiredOption("--name <name>", "what people call it")
    .requiredOption("--plan <plan>", "starter, growth, scale, or one of your plans file")
    .addHelpText("after", '\nExample:\n  ops accounts create --name "Acme Research" --plan growth')
    .action(async ({ name, plan }: { name: string; plan: string }) => {
      assertName(name);
      const known = planNamed(plan, readPlans(ops.settings().TRANCHE_PLANS_FILE));
      const store = await accountStore(ops);
      const account = await store.createAccount({ name: name.trim(), plan: known });
      const { key } = await store.createKey({ account: account.account, name: "first key" });
      ops.terminal.show(
        { id: account.account, name: account.name, plan: account.plan, key },
        `Account ${account.account} (${account.name}) on plan ${account.plan}.\nKey, shown only now: ${key}`,
      );
    });

  accounts
    .command("list")
    .description("Lists all accounts, the oldest first.")
    .action(async () => {
      const all = await (await accountStore(ops)).accounts();
      ops.terminal.show(
        all.map(shownAccount),
        table(
          ["account", "name", "plan", "status", "created"],
          all.map((account) => [account.account, account.name, account.plan, account.status, account.created_at]),
          "There is no account yet: `ops accounts create --name N --plan P` makes one.",
        ),
      );
    });

  accounts
    .command("set-plan")
    .description("Puts an account on another plan. What it has used this month counts on.")
    .requiredOption("--account <id>", "the account's id, as `ops accounts list` shows it")
    .requiredOption("--plan <plan>", "starter, growth, scale, or one of your plans file")
    .addHelpText("after", "\nExample:\n  ops accounts set-plan --account 8kQ2mZ0a --plan scale")
    .action(async ({ account, plan }: { account: string; plan: string }) => {
      const known = planNamed(plan, readPlans(ops.settings().TRANCHE_PLANS_FILE));
      const changed = await (await accountStore(ops)).setPlan(account, known);
      ops.terminal.show(
        shownAccount(changed),
        `Account ${changed.account} (${changed.name}) is on plan ${changed.plan}.`,
      );
    });

  accounts
    .command("suspend")
    .description("Stops an account: within a second none of its keys opens anything, until it is resumed.")
    .requiredOption("--account <id>", "the account's id, as `ops accounts list` shows it")
    .option("--reason <text>", "for the audit log")
    .action(async ({ account, reason }: { account: string; reason?: string }) => {
      showStatus(ops, await (await accountStore(ops)).suspend(account, reason));
    });

  accounts
    .command("resume")
    .description("Lets a suspended account go on.")
    .requiredOption("--account <id>", "the account's id, as `ops accounts list` shows it")
    .action(async ({ account }: { account: string }) => {
      showStatus(ops, await (await accountStore(ops)).resume(account));
    });

  accounts
    .command("delete")
    .description("Ends an account for good: its keys are revoked, and it can't be resumed. The audit log keeps it.")
    .requiredOption("--account <id>", "the account's id, as `ops accounts list` shows it")
    .option("--yes", "you are sure")
    .action(async ({ account, yes }: { account: string; yes?: true }) => {
      if (!yes) throw new WrongUsage(`This can't be undone: add --yes to delete the account ${account}.`);
      showStatus(ops, await (await accountStore(ops)).remove(account));
    });

  return accounts;
}

export async function accountStore(ops: Ops) {
  const { client, names, redis, settings } = await ops.engines();
  const copies = createHotCopies(redis, settings.TRANCHE_NAMESPACE);
  return createAccountStore(client, names.accounts, { actor: operator(), copies });
}

/** Who is at the command line, for the audit log. */
function operator(): string {
  try {
    return `ops:${userInfo().username}@${hostname()}`;
  } catch {
    // In a container a user may have no name.
    return `ops:${process.getuid?.() ?? "?"}@${hostname()}`;
  }
}

function showStatus(ops: Ops, account: Account): void {
  ops.terminal.show(shownAccount(account), `Account ${account.account} (${account.name}) is ${account.status}.`);
}

function shownAccount({ account, name, plan, status, created_at }: Account) {
  return { id: account, name, plan, status, created_at };
}

/** The id of a plan given as its id or name, in any case. */
export function planNamed(text: string, plans: Plans): string {
  const wanted = text.trim().toLowerCase();
  const ids = Object.keys(plans);
  const found = ids.find((id) => id === wanted || plans[id]!.name.toLowerCase() === wanted);
  if (found) return found;
  const near = closest(wanted, ids);
  throw new WrongUsage(
    `There is no plan '${text}'.${near ? ` Did you mean '${near}'?` : ""} Plans: ${ids.join(", ")}.`,
  );
}

function assertName(name: string): void {
  if (name.trim() === "" || name.length > 200) throw new WrongUsage("--name has to be a text of 1 to 200 characters.");
}
