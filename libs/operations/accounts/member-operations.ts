import { type Account, AccountError } from "@tranche/shared/accounts/account";
import { LINK_MINUTES, type MemberWithRole } from "@tranche/shared/accounts/member";
import { ROLES } from "@tranche/shared/accounts/role";
import { type Listing, membersOperation, operation } from "./operation.ts";

const EMAIL = ["--email <address>", "e-mail address of the person"] as const;

/** The option that gives a new member a role. */
export const ROLE = ["--role <role>", `${ROLES.join(", ")}: what a new member may do`, "admin"] as const;

/** A member as --json prints it. */
export const shownMember = ({ email, role, added_at, added_by }: MemberWithRole) => ({
  email,
  role,
  added_at,
  added_by,
});

const named = ({ account, name }: Account) => `the account ${account} (${name})`;
const assertMember = (is: boolean, email: string, account: Account) => {
  if (!is) throw new AccountError(`${email} is not a member of ${named(account)}.`);
};

const MEMBERS: Listing<MemberWithRole> = {
  columns: { "e-mail": "email", role: "role", added: "added_at", "added by": "added_by" },
  empty: "Nobody can sign in to this account yet. Add somebody with `ops accounts add-member --account A --email E`.",
};

export const MEMBER_OPERATIONS = {
  "members.list": operation({
    on: "account",
    input: [],
    does: ({ members }, { account }) => members.ofAccount(account),
    command: {
      name: "accounts members",
      description: "List the people who may sign in to the dashboard of an account.",
      shown: (all) => all.map(shownMember),
      text: (all, _, table) => table(all, MEMBERS),
    },
    members: { route: "GET /members", role: "viewer" },
  }),

  "members.add": operation({
    on: "account",
    input: ["email", "role"],
    notDeleted: true,
    does: async ({ members }, { account }, { email, role }) => ({
      account,
      ...shownMember(await members.add({ account, email, role })),
    }),
    audit: {
      action: "member.add",
      told: ({ details }) => `added ${details["email"]}${details["role"] ? ` as ${details["role"]}` : ""}`,
    },
    command: {
      name: "accounts add-member",
      summary: "Let somebody sign in to the dashboard of an account",
      description:
        "Let somebody sign in to the dashboard of an account. They get their links by e-mail, or from `ops accounts sign-in-link`.",
      options: { email: EMAIL, role: ROLE },
      example: "--account 8kQ2mZ0a --email ada@example.com --role viewer",
      text: ({ email, role }, account) => `${email} is a member of ${named(account)}, as ${role}.`,
    },
    members: { route: "POST /members", role: "admin", status: 201, needsActive: true },
  }),

  "members.set-role": operation({
    on: "account",
    input: ["email", "role"],
    async does({ members }, account, { email, role }) {
      assertMember(await members.setRole(account.account, email, role), email, account);
      return { account: account.account, email, role };
    },
    audit: {
      action: "member.role",
      told: ({ details }) => `changed the role of ${details["email"]} from ${details["from"]} to ${details["to"]}`,
    },
    command: {
      name: "accounts set-role",
      summary: "Change what a member may do in the dashboard",
      description:
        "Change what a member may do in the dashboard. viewer: explore, save searches and follow by mail. developer: also keys, webhooks, feed links and connected applications. admin: also members, roles and the account's log. Keys that they made stay.",
      options: { email: EMAIL, role: ["--role <role>", ROLES.join(", ")] },
      example: "--account 8kQ2mZ0a --email ada@example.com --role developer",
      text: ({ email, role }, account) => `${email} is ${role} of ${named(account)}.`,
    },
    members: { route: "POST /members/role", role: "admin" },
  }),

  "members.remove": operation({
    on: "account",
    input: ["email"],
    async does({ members, follows }, account, { email }) {
      const removed = await members.remove(account.account, email);
      // Also of one who was removed before, in case the process died in between.
      await follows.removeOfMember(account.account, email);
      assertMember(removed, email, account);
      return { account: account.account, email, removed: true };
    },
    audit: {
      action: "member.remove",
      told: ({ details, isOwn }) => (isOwn ? "left the account" : `removed ${details["email"]}`),
    },
    command: {
      name: "accounts remove-member",
      summary: "Remove somebody from an account",
      description:
        "Remove somebody from an account. Their sessions end within one second, their links stop working, and what they follow ends.",
      options: { email: EMAIL },
      text: ({ email }, account) => `${email} is no longer a member of ${named(account)}.`,
    },
    members: { route: "POST /members/remove", role: "admin" },
  }),

  "members.sign-in-link": operation({
    on: "account",
    input: ["email", "role?"],
    notDeleted: true,
    async does({ installation, actor }, { account }, { email, role = "admin" }) {
      const { signInLink } = await import("./sign-in-link.ts");
      return { account, email, url: await signInLink(installation, actor, { account, email, role }) };
    },
    audit: { action: "member.link", told: ({ details }) => `created a sign-in link for ${details["email"]}` },
    command: {
      name: "accounts sign-in-link",
      summary: "Create a link that signs somebody in to the dashboard",
      description:
        "Create a link that signs somebody in to the dashboard of an account. It works once, within 15 minutes. The recipient becomes a member of the account; somebody who is one keeps their role.",
      options: { email: EMAIL, role: ROLE },
      example: "--account 8kQ2mZ0a --email ada@example.com",
      text: ({ email, url }, account) =>
        `${url}\nThis link signs ${email} in to ${named(account)}, once and within 15 minutes.`,
    },
    operators: {
      route: "POST /accounts/:id/sign-in-link",
      status: 201,
      view: ({ email, url }) => ({ email, url, minutes: LINK_MINUTES }),
    },
    members: { route: "POST /members/link", role: "admin", status: 201, needsActive: true },
  }),

  "members.invite": membersOperation({
    audit: { action: "member.invite", told: ({ details }) => `invited ${details["email"]}` },
    members: { route: "POST /members/invite", role: "admin", needsActive: true },
  }),

  "members.leave": membersOperation({ members: { route: "POST /members/leave", role: "viewer", ownSession: true } }),
};
