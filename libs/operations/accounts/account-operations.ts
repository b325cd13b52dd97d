import type { KeyRecord } from "@tranche/shared/accounts/account-store";
import { throttleInForce } from "@tranche/shared/accounts/throttle";
import { shownNumber } from "@tranche/shared/domain/text/numbers";
import { overviewText, shown, shownOverview, stateText, statusText, view } from "./account-view.ts";
import { KEYS, shownKey } from "./key-operations.ts";
import { ROLE, shownMember } from "./member-operations.ts";
import { type Listing, operation } from "./operation.ts";
import type { Overview } from "./overview.ts";

const PLAN = ["--plan <plan>", "starter, growth, scale, or a plan of your plans file"] as const;

const ACCOUNTS: Listing<Overview> = {
  columns: {
    account: "account",
    name: "name",
    plan: "plan",
    status: ({ status, throttle }) => stateText(status, throttleInForce(throttle, Date.now()) !== null),
    created: "created_at",
    "working keys": "working_keys",
    "requests this month": ({ requests_this_month }) => shownNumber(requests_this_month),
    "last used": "last_used_at",
  },
  empty: "There are no accounts yet. Create one with `ops accounts create --name N --plan P`.",
};

export const ACCOUNT_OPERATIONS = {
  "accounts.create": operation({
    on: "installation",
    input: ["name", "plan", "email?", "role?"],
    async does({ accounts, members }, _, { name, plan, email, role = "admin" }) {
      const account = await accounts.createAccount({ name, plan });
      const { key } = await accounts.createKey({ account: account.account, name: "first key" });
      const member =
        email === undefined
          ? {}
          : { member: shownMember(await members.add({ account: account.account, email, role })) };
      return { id: account.account, name: account.name, plan: account.plan, key, ...member };
    },
    audit: { action: "account.create", told: ({ details }) => `created the account on the plan ${details["plan"]}` },
    command: {
      name: "accounts create",
      summary: "Create an account and its first key",
      description: "Create an account and its first key. The key is shown only once.",
      options: {
        name: ["--name <name>", "a name for people, up to 200 characters"],
        plan: PLAN,
        email: ["--member <address>", "e-mail address of somebody who may sign in to its dashboard"],
        role: ROLE,
      },
      example: '--name "Acme Research" --plan growth --member ada@example.com',
      text: ({ id, name, plan, key, member }) =>
        [
          `Created account ${id} (${name}) on plan ${plan}.`,
          `Key (shown only once): ${key}`,
          ...(member ? [`Member: ${member.email} (${member.role})`] : []),
        ].join("\n"),
    },
    operators: { route: "POST /accounts", status: 201, input: ["name", "plan"], view: (made) => made },
  }),

  "accounts.list": operation({
    on: "installation",
    input: [],
    async does({ accounts, installation }) {
      const { overviews } = await import("./overview.ts");
      return overviews(installation, accounts, await accounts.accounts());
    },
    command: {
      name: "accounts list",
      description: "List all accounts with their use, oldest first.",
      shown: (all) => all.map(shownOverview),
      text: (all, _, table) => table(all, ACCOUNTS),
    },
    operators: { route: "GET /accounts" },
  }),

  "accounts.show": operation({
    on: "account",
    input: [],
    async does({ accounts, installation }, account): Promise<{ overview: Overview; keys: KeyRecord[] }> {
      const { overviews } = await import("./overview.ts");
      const [[overview], keys] = await Promise.all([
        overviews(installation, accounts, [account]),
        accounts.keys(account.account),
      ]);
      return { overview: overview!, keys };
    },
    command: {
      name: "accounts show",
      description: "Show an account with its use and its keys.",
      shown: ({ overview, keys }) => ({ ...shownOverview(overview), keys: keys.map(shownKey) }),
      text: ({ overview, keys }, _, table) => `${overviewText(overview)}\n${table(keys, KEYS)}`,
    },
    operators: { route: "GET /accounts/:id" },
  }),

  "accounts.set-plan": operation({
    on: "account",
    input: ["plan"],
    does: ({ accounts }, { account }, { plan }) => accounts.setPlan(account, plan),
    audit: { action: "account.set_plan", told: ({ details }) => `changed the plan to ${details["plan"]}` },
    command: {
      name: "accounts set-plan",
      description: "Change the plan of an account. Usage this month carries over.",
      options: { plan: PLAN },
      example: "--account 8kQ2mZ0a --plan scale",
      shown,
      text: ({ account, name, plan }) => `Account ${account} (${name}) is now on plan ${plan}.`,
    },
    operators: { route: "PUT /accounts/:id/plan", view },
  }),

  "accounts.suspend": operation({
    on: "account",
    input: ["reason?"],
    does: ({ accounts }, { account }, { reason }) => accounts.suspend(account, reason || undefined),
    audit: { action: "account.suspend", told: () => "suspended the account" },
    command: {
      name: "accounts suspend",
      description: "Suspend an account. All its keys stop working within one second, until it is resumed.",
      options: { reason: ["--reason <text>", "reason, for the audit log"] },
      shown,
      text: statusText,
    },
    operators: { route: "POST /accounts/:id/suspend", view },
  }),

  "accounts.resume": operation({
    on: "account",
    input: [],
    does: ({ accounts }, { account }) => accounts.resume(account),
    audit: { action: "account.resume", told: () => "reactivated the account" },
    command: {
      name: "accounts resume",
      description: "Reactivate a suspended account.",
      shown,
      text: statusText,
    },
    operators: { route: "POST /accounts/:id/resume", view },
  }),

  "accounts.delete": operation({
    on: "account",
    input: [],
    confirm: ({ account, name }) => `delete the account ${account} (${name}) and revoke its keys`,
    does: ({ accounts }, { account }) => accounts.remove(account),
    audit: { action: "account.delete", told: () => "deleted the account" },
    command: {
      name: "accounts delete",
      description: "Delete an account for good and revoke its keys. The audit log keeps its entries.",
      shown,
      text: statusText,
    },
    operators: { route: "POST /accounts/:id/delete", view },
  }),
};
