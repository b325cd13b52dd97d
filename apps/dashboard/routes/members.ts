import type Router from "@koa/router";
import { LINK_MINUTES } from "@tranche/shared/members/member";
import { removeMember } from "@tranche/shared/members/remove-member";
import { z } from "zod";
import { DashboardError } from "../errors/dashboard-error.ts";
import { bodyOf } from "../requests/body.ts";
import { emailSchema } from "../requests/email.ts";
import { assertActive } from "../sessions/active-account.ts";
import type { Parts } from "./parts.ts";

export type MemberView = { email: string; added_at: string; added_by: string; is_you: boolean };
export type MembersView = { members: MemberView[]; by_email: boolean };
/** `mail`: whether a link was sent; `none` where this service sends no mails. */
export type AddedMember = { email: string; mail: "sent" | "failed" | "none" };
/** A link that signs a member in once. It is shown once. */
export type MemberLink = { email: string; url: string; minutes: number };

const emailBody = z.object({ email: emailSchema });
const MAX_MEMBERS = 200;

/** The members of the session's account: all may see, add and remove them. */
export function addMembers(router: Router, parts: Parts): void {
  const { requireSession, membersAs, linksAs, sessionsAs, signInLinks, signInUrl, limits } = parts;
  const everybody = (account: string) => membersAs("dashboard").ofAccount(account);

  router.get("/members", async (ctx) => {
    const { account, session } = await requireSession(ctx);
    const members = (await everybody(account.account)).map(({ email, added_at, added_by }) => ({
      email,
      added_at,
      // The names of operators are not for customers.
      added_by: added_by.startsWith("member:") ? added_by.slice("member:".length) : "the operators",
      is_you: email === session.member,
    }));
    ctx.body = { data: { members, by_email: signInLinks !== undefined } satisfies MembersView };
  });

  router.post("/members", async (ctx) => {
    const { account, session } = await requireSession(ctx);
    assertActive(account);
    const { email } = bodyOf(ctx, emailBody);
    if (signInLinks) {
      await limits.spend("mails_of_account", account.account);
      await limits.spend("mails_to", email);
    }
    const there = await everybody(account.account);
    if (there.length >= MAX_MEMBERS && !there.some((member) => member.email === email)) {
      throw new DashboardError("conflict", `An account has at most ${MAX_MEMBERS} members.`);
    }
    await membersAs(`member:${session.member}`).add({ account: account.account, email });
    const sent = await signInLinks?.invite({ account: account.account, name: account.name, email }, session.member);
    ctx.status = 201;
    ctx.body = {
      data: { email, mail: sent === undefined ? "none" : sent ? "sent" : "failed" } satisfies AddedMember,
    };
  });

  router.post("/members/link", async (ctx) => {
    const { account, session } = await requireSession(ctx);
    assertActive(account);
    const { email } = bodyOf(ctx, emailBody);
    if (!(await membersAs("dashboard").has(account.account, email))) throw noMember(email);
    const link = { account: account.account, email };
    const secret = await linksAs(`member:${session.member}`).create(link, { noted: true });
    ctx.status = 201;
    ctx.body = { data: { email, url: signInUrl(secret), minutes: LINK_MINUTES } satisfies MemberLink };
  });

  router.post("/members/remove", async (ctx) => {
    const { account, session } = await requireSession(ctx);
    const { email } = bodyOf(ctx, emailBody);
    const actor = `member:${session.member}`;
    const stores = { members: membersAs(actor), links: linksAs(actor), sessions: sessionsAs(actor) };
    const member = { account: account.account, email };
    if (!(await removeMember(stores, member, { keepLast: true }))) throw noMember(email);
    ctx.status = 204;
  });
}

const noMember = (email: string) => new DashboardError("not_found", `${email} is not a member of this account.`);
