import type Router from "@koa/router";
import { LINK_MINUTES } from "@tranche/shared/accounts/member";
import { mayDo, type Role } from "@tranche/shared/accounts/role";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { bodyOf } from "@tranche/http/server/json-body";
import { givenEmail } from "@tranche/operations/accounts/given-email";
import { givenRole } from "@tranche/operations/accounts/given-role";
import { keysByMaker } from "../keys/makers.ts";
import { assertActive } from "../sessions/active-account.ts";
import type { DashboardParts } from "./parts.ts";

/** A member. `keys`: names of the working keys that they made, which stay whatever becomes of them; only admins see them. */
export type MemberView = {
  email: string;
  role: Role;
  added_at: string;
  added_by: string;
  is_you: boolean;
  keys: readonly string[];
};
export type MembersView = { members: MemberView[]; by_email: boolean };
/** `mail`: whether a link was sent; `none` where this service sends no mails. */
export type AddedMember = { email: string; role: Role; mail: "sent" | "failed" | "none" };
/** A link that signs a member in once. It is shown once. */
export type MemberLink = { email: string; url: string; minutes: number };

const emailBody = z.object({ email: givenEmail });
const roleBody = z.object({ email: givenEmail, role: givenRole });
const MAX_MEMBERS = 200;

/** The members of the session's account. All see them; admins add and remove them, and give them roles. */
export function addMembers(router: Router, parts: DashboardParts): void {
  const { requireSession, accountsAs, membersAs, linksAs, signInLinks, signInUrl, limits, cookie } = parts;
  router.get("/members", async (ctx) => {
    const { account, session, rights } = await requireSession(ctx);
    const all = await membersAs("dashboard").ofAccount(account.account);
    const keys = mayDo(rights.role, "admin") ? await keysByMaker(accountsAs("dashboard"), account.account) : undefined;
    const members = all.map(({ email, role, added_at, added_by }) => ({
      email,
      role,
      added_at,
      // The names of operators are not for customers.
      added_by: added_by.startsWith("member:") ? added_by.slice("member:".length) : "the operators",
      is_you: email === session.member,
      keys: keys?.get(email) ?? [],
    }));
    ctx.body = { data: { members, by_email: signInLinks !== undefined } satisfies MembersView };
  });

  router.post("/members", async (ctx) => {
    const { account, session, actor, assertStill } = await requireSession(ctx);
    assertActive(account);
    const { email, role: wanted } = bodyOf(ctx, roleBody);
    if (signInLinks) {
      await limits.spend("mails_of_account", account.account);
      await limits.spend("mails_to", email);
    }
    const input = { account: account.account, email, role: wanted };
    const { role } = await membersAs(actor).add(input, { most: MAX_MEMBERS, mayStay: assertStill });
    const sent = await signInLinks?.invite({ account: account.account, email, name: account.name }, session.member);
    ctx.status = 201;
    ctx.body = {
      data: { email, role, mail: sent === undefined ? "none" : sent ? "sent" : "failed" } satisfies AddedMember,
    };
  });

  router.post("/members/role", async (ctx) => {
    const { account, actor, assertStill } = await requireSession(ctx);
    const { email, role } = bodyOf(ctx, roleBody);
    if (!(await membersAs(actor).setRole(account.account, email, role, assertStill))) throw noMember(email);
    ctx.status = 204;
  });

  router.post("/members/link", async (ctx) => {
    const { account, session, actor } = await requireSession(ctx);
    assertActive(account);
    const { email } = bodyOf(ctx, emailBody);
    if (!(await membersAs("dashboard").one(account.account, email))) throw noMember(email);
    // Whoever made the first of a chain of links answers for all of them.
    const by = session.by ?? { email: session.member, stamp: session.stamp };
    const secret = await linksAs(actor).create({ account: account.account, email }, { by, noted: true });
    ctx.status = 201;
    ctx.body = { data: { email, url: signInUrl(secret), minutes: LINK_MINUTES } satisfies MemberLink };
  });

  router.post("/members/remove", async (ctx) => {
    const { account, actor } = await requireSession(ctx);
    const { email } = bodyOf(ctx, emailBody);
    const removed = await membersAs(actor).remove(account.account, email, { keepAdmin: true });
    if (!removed) throw noMember(email);
    ctx.status = 204;
  });

  router.post("/members/leave", async (ctx) => {
    const { account, session, actor } = await requireSession(ctx);
    await membersAs(actor).remove(account.account, session.member, { keepAdmin: true });
    cookie.clear(ctx);
    ctx.status = 204;
  });
}

const noMember = (email: string) => new PageError("not_found", `${email} is not a member of this account.`);
