import type { Account } from "@tranche/shared/accounts/account-store";
import type { Kinds, Operation } from "@tranche/operations/accounts/operation";
import { ALL_OPERATIONS } from "@tranche/operations/accounts/operations";
import { Command, Option } from "commander";
import type { Ops } from "../context/ops.ts";
import { WrongUsage } from "../terminal/failure.ts";
import { listed } from "../terminal/table.ts";
import { ACCOUNT, accountFor } from "./options.ts";

/** The commands whose operations are rows of the table, with their summary and description. */
const GROUPS = {
  accounts: ["Manage accounts", "Manage accounts and their plans."],
  keys: ["Manage API keys", "Manage the API keys of accounts. A key is shown only once, when it is created."],
  requests: [
    "See who sends requests",
    "See who has sent requests in the last hour, by account, key, address and route.",
  ],
} as const;

/** `ops accounts …` and others: each operation of the table with this first word is a command. */
export function operationsCommand(ops: Ops, group: keyof typeof GROUPS): Command {
  const [summary, description] = GROUPS[group];
  const command = new Command(group).summary(summary).description(description);
  for (const [, row] of ALL_OPERATIONS) {
    if ("command" in row && row.command.name.startsWith(`${group} `)) command.addCommand(commandOf(ops, row));
  }
  return command;
}

function commandOf(ops: Ops, row: Operation): Command {
  const { name, summary, description, example } = row.command;
  const command = new Command(name.split(" ")[1]).description(description);
  if (summary) command.summary(summary);
  if (row.on === "account") command.requiredOption(...ACCOUNT);
  else if (row.on !== "installation") command.argument(...row.on);
  for (const [kind, [flags, help, byDefault]] of optionsOf(row)) {
    const isNeeded = row.input.includes(kind) && byDefault === undefined;
    command.addOption(new Option(flags, help).default(byDefault).makeOptionMandatory(isNeeded));
  }
  if (row.confirm) command.option("--yes", "confirm the deletion");
  if (example) command.addHelpText("after", `\nExample:\n  ops ${name} ${example}`);
  return command.action(async (...given: unknown[]) => {
    const options = command.opts<Record<string, string | undefined>>();
    await run(ops, row, typeof given[0] === "string" ? given[0] : undefined, options);
  });
}

/** Reads what is given, finds the account, does the operation and shows its result. */
async function run(
  ops: Ops,
  row: Operation,
  id: string | undefined,
  options: Record<string, string | undefined>,
): Promise<void> {
  const input = await inputOf(ops, row, options);
  const account = row.on === "account" ? await accountFor(ops, options["account"]!) : undefined;
  if (account) assertMayBe(row, account, options["yes"] !== undefined);
  const on = (account ?? id) as never;
  const result = await row.does(await ops.doing(), on, input as never);
  const { command } = row;
  if (command.aside) ops.terminal.tell(command.aside(result));
  ops.terminal.show(command.shown ? command.shown(result, on) : result, command.text(result, on, listed));
}

function assertMayBe(row: Operation, account: Account, isConfirmed: boolean): void {
  if (row.notDeleted && account.status === "deleted")
    throw new WrongUsage(`The account ${account.account} is deleted.`);
  if (row.confirm && !isConfirmed) {
    throw new WrongUsage(`This can't be undone. Add --yes to ${row.confirm(account)}.`);
  }
}

async function inputOf(ops: Ops, row: Operation, options: Record<string, string | undefined>) {
  const { GIVEN } = await import("../accounts/given.ts");
  const input: { [K in keyof Kinds]?: Kinds[keyof Kinds] } = {};
  for (const [kind, [flags]] of optionsOf(row)) {
    const text = options[new Option(flags).attributeName()];
    if (text !== undefined) input[kind] = await GIVEN[kind](text, ops);
  }
  const { oneOf } = row;
  if (oneOf?.kinds.every((kind) => input[kind] === undefined)) {
    throw new WrongUsage(`${oneOf.kinds.map((kind) => `--${kind}`).join(", ")}: ${oneOf.refusal}`);
  }
  return input;
}

const optionsOf = ({ command }: Operation) =>
  Object.entries(command.options ?? {}) as [keyof Kinds, readonly [flags: string, help: string, byDefault?: string]][];
