import type { Account } from "@tranche/shared/accounts/account-store";
import { type Role, ROLES } from "@tranche/shared/accounts/role";
import { Command } from "commander";
import type { Ops } from "../context/ops.ts";
import { Failure, WrongUsage } from "../terminal/failure.ts";
import { table } from "../terminal/table.ts";
import { ACCOUNT, accountFor } from "./account-option.ts";

const EMAIL = ["--email <address>", "e-mail address of the person"] as const;

/** The option that gives a new member a role. */
export const ROLE = ["--role <role>", `${ROLES.join(", ")}: what a new member may do`, "admin"] as const;

type Options = { account: string; email: string };

/** Commands of `ops accounts` about the people who may sign in to the dashboard. */
export function memberCommands(ops: Ops): Command[] {
  const link = new Command("sign-in-link")
    .summary("Create a link that signs somebody in to the dashboard")
    .description(
      "Create a link that signs somebody in to the dashboard of an account. It works once, within 15 minutes. The recipient becomes a member of the account; who is one keeps their role.",
    )
    .requiredOption(...ACCOUNT)
    .requiredOption(...EMAIL)
    .option(...ROLE)
    .addHelpText("after", "\nExample:\n  ops accounts sign-in-link --account 8kQ2mZ0a --email ada@example.com")
    .action(async (options: Options & { role: string }) => {
      const role = roleFor(options.role);
      const { email, account } = await wanted(ops, options);
      const { signInLink } = await import("@tranche/operations/accounts/sign-in-link");
      const { operator } = await import("../context/operator.ts");
      const url = await signInLink(await ops.engines(), operator(), { account: account.account, email, role });
      ops.terminal.show(
        { account: account.account, email, url },
        `${url}\nThis link signs ${email} in to the account ${account.account} (${account.name}), once and within 15 minutes.`,
      );
    });

  const list = new Command("members")
    .description("List the people who may sign in to the dashboard of an account.")
    .requiredOption(...ACCOUNT)
    .action(async ({ account }: { account: string }) => {
      const { account: id } = await accountFor(ops, account);
      const all = await (await membersOf(ops)).ofAccount(id);
      ops.terminal.show(
        all.map(({ email, role, added_at, added_by }) => ({ email, role, added_at, added_by })),
        table(
          ["e-mail", "role", "added", "added by"],
          all.map(({ email, role, added_at, added_by }) => [email, role, added_at, added_by]),
          "Nobody can sign in to this account yet. Add somebody with `ops accounts add-member --account A --email E`.",
        ),
      );
    });

  const add = new Command("add-member")
    .summary("Let somebody sign in to the dashboard of an account")
    .description(
      "Let somebody sign in to the dashboard of an account. They get their links by e-mail, or from `ops accounts sign-in-link`.",
    )
    .requiredOption(...ACCOUNT)
    .requiredOption(...EMAIL)
    .option(...ROLE)
    .addHelpText(
      "after",
      "\nExample:\n  ops accounts add-member --account 8kQ2mZ0a --email ada@example.com --role viewer",
    )
    .action(async (options: Options & { role: string }) => {
      const wantedRole = roleFor(options.role);
      const { email, account } = await wanted(ops, options);
      const member = await addMember(ops, { account: account.account, email, role: wantedRole });
      ops.terminal.show(
        { account: account.account, ...member },
        `${email} is a member of the account ${account.account} (${account.name}), as ${member.role}.`,
      );
    });

  const setRole = new Command("set-role")
    .summary("Change what a member may do in the dashboard")
    .description(
      "Change what a member may do in the dashboard. viewer: explore, save searches and follow by mail. developer: also keys, webhooks, feed links and connected applications. admin: also members, roles and the account's log. Keys that they made stay.",
    )
    .requiredOption(...ACCOUNT)
    .requiredOption(...EMAIL)
    .requiredOption("--role <role>", ROLES.join(", "))
    .addHelpText(
      "after",
      "\nExample:\n  ops accounts set-role --account 8kQ2mZ0a --email ada@example.com --role developer",
    )
    .action(async ({ account, email: given, role: text }: Options & { role: string }) => {
      const role = roleFor(text);
      const email = await emailFor(given);
      const found = await accountFor(ops, account);
      if (!(await (await membersOf(ops)).setRole(found.account, email, role))) throw noMember(email, found);
      ops.terminal.show(
        { account: found.account, email, role },
        `${email} is ${role} of the account ${found.account} (${found.name}).`,
      );
    });

  const remove = new Command("remove-member")
    .summary("Remove somebody from an account")
    .description("Remove somebody from an account. Their sessions end within one second, and their links stop working.")
    .requiredOption(...ACCOUNT)
    .requiredOption(...EMAIL)
    .action(async ({ account, email: given }: Options) => {
      const email = await emailFor(given);
      const found = await accountFor(ops, account);
      const members = await membersOf(ops);
      if (!(await members.remove(found.account, email))) throw noMember(email, found);
      ops.terminal.show(
        { account: found.account, email, removed: true },
        `${email} is no longer a member of the account ${found.account} (${found.name}).`,
      );
    });

  return [list, add, setRole, remove, link];
}

/** Adds somebody, unless they are a member; returns the member. */
export async function addMember(ops: Ops, member: { account: string; email: string; role: Role }) {
  const { email, role, added_at, added_by } = await (await membersOf(ops)).add(member);
  return { email, role, added_at, added_by };
}

/** The role that an option names. */
export function roleFor(text: string): Role {
  const role = ROLES.find((one) => one === text.trim().toLowerCase());
  if (!role) throw new WrongUsage(`--role: '${text}' is not a role. The roles are ${ROLES.join(", ")}.`);
  return role;
}

const noMember = (email: string, { account, name }: Account) =>
  new Failure(`${email} is not a member of the account ${account} (${name}).`);

async function membersOf(ops: Ops) {
  const { memberStore } = await import("../accounts/member-store.ts");
  return memberStore(await ops.engines());
}

/** The e-mail address that an option gives. */
export async function emailFor(text: string): Promise<string> {
  const { emailOf } = await import("@tranche/shared/accounts/member");
  const email = emailOf(text);
  if (email === undefined) throw new WrongUsage(`'${text}' is not an e-mail address, such as ada@example.com.`);
  return email;
}

/** The person and the account of the options. Rejects for a deleted account, which takes no members. */
async function wanted(ops: Ops, options: Options): Promise<{ email: string; account: Account }> {
  const email = await emailFor(options.email);
  const account = await accountFor(ops, options.account);
  if (account.status === "deleted") throw new WrongUsage(`The account ${account.account} is deleted.`);
  return { email, account };
}
