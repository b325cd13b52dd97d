import type Router from "@koa/router";
import { LINK_MINUTES } from "@tranche/shared/accounts/member";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { bodyOf } from "@tranche/http/server/json-body";
import { givenEmail } from "@tranche/operations/accounts/given-email";
import { assertActive } from "../sessions/active-account.ts";
import type { DashboardParts } from "./parts.ts";

export type MemberView = { email: string; added_at: string; added_by: string; is_you: boolean };
export type MembersView = { members: MemberView[]; by_email: boolean };
/** `mail`: whether a link was sent; `none` where this service sends no mails. */
export type AddedMember = { email: string; mail: "sent" | "failed" | "none" };
/** A link that signs a member in once. It is shown once. */
export type MemberLink = { email: string; url: string; minutes: number };

const emailBody = z.object({ email: givenEmail });
const MAX_MEMBERS = 200;

/** The members of the session's account: all may see, add and remove them. */
export function addMembers(router: Router, parts: DashboardParts): void {
  const { requireSession, membersAs, linksAs, signInLinks, signInUrl, limits } = parts;
  router.get("/members", async (ctx) => {
    const { account, session } = await requireSession(ctx);
    const members = (await membersAs("dashboard").ofAccount(account.account)).map(({ email, added_at, added_by }) => ({
      email,
      added_at,
      // The names of operators are not for customers.
      added_by: added_by.startsWith("member:") ? added_by.slice("member:".length) : "the operators",
      is_you: email === session.member,
    }));
    ctx.body = { data: { members, by_email: signInLinks !== undefined } satisfies MembersView };
  });

  router.post("/members", async (ctx) => {
    const { account, session, actor, assertStill } = await requireSession(ctx);
    assertActive(account);
    const { email } = bodyOf(ctx, emailBody);
    if (signInLinks) {
      await limits.spend("mails_of_account", account.account);
      await limits.spend("mails_to", email);
    }
    const member = { account: account.account, email };
    await membersAs(actor).add(member, { most: MAX_MEMBERS, mayStay: assertStill });
    const sent = await signInLinks?.invite({ ...member, name: account.name }, session.member);
    ctx.status = 201;
    ctx.body = {
      data: { email, mail: sent === undefined ? "none" : sent ? "sent" : "failed" } satisfies AddedMember,
    };
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
    const removed = await membersAs(actor).remove(account.account, email, { keepLast: true });
    if (!removed) throw noMember(email);
    ctx.status = 204;
  });
}

const noMember = (email: string) => new PageError("not_found", `${email} is not a member of this account.`);
