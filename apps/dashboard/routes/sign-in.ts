import type Router from "@koa/router";
import type { Account } from "@tranche/shared/accounts/account";
import { LINK_MINUTES, type MemberLink } from "@tranche/shared/accounts/member";
import type { Context } from "koa";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { bodyOf } from "@tranche/http/server/json-body";
import { givenEmail } from "@tranche/operations/accounts/given";
import type { DashboardParts } from "./parts.ts";
import { createSignInBy } from "./sign-in-by.ts";

/** How people can sign in here. */
export type SignInView = {
  by_email: boolean;
  /** The member who is already signed in. */
  signed_in: { account_name: string; member: string } | null;
};
/** The purpose of a link. */
export type LinkView = { account_name: string; member: string };
/** The same for every e-mail address. */
export type MailView = { minutes: number };

const secretBody = z.object({ secret: z.string("Send the secret of the link.").max(100) });
const emailBody = z.object({ email: givenEmail });

/** Signing in by a link, asking for one by mail, and signing out. */
export function addSignIn(router: Router, parts: DashboardParts): void {
  const { linksAs, accountsAs, sessionsAs, signInLinks, limits, cookie, requireSession, findSession } = parts;
  const links = linksAs("dashboard");
  const accounts = accountsAs("dashboard");
  const signInBy = createSignInBy(parts);

  /** A link and its account. Throws `link_unusable` without a link, and for a deleted account. */
  const withAccount = async (link: MemberLink | undefined): Promise<{ link: MemberLink; account: Account }> => {
    const account = link && (await accounts.account(link.account));
    if (link && account && account.status !== "deleted") return { link, account };
    throw new PageError(
      "link_unusable",
      `This link was used before, is older than ${LINK_MINUTES} minutes, or never was one.`,
    );
  };

  /** Who is signed in already. Wrong cookies of others at the same IP address keep nobody from signing in. */
  const found = async (ctx: Context) => {
    const token = cookie.read(ctx);
    return token === undefined ? undefined : findSession(token, ctx.ip).catch(noneWhenLimited);
  };

  router.get("/sign-in", async (ctx) => {
    const there = await found(ctx);
    const view: SignInView = {
      by_email: signInLinks !== undefined,
      signed_in: there ? { account_name: there.account.name, member: there.session.member } : null,
    };
    ctx.body = { data: view };
  });

  // A POST, because addresses of requests are logged. It changes nothing: mail scanners open links and run scripts.
  router.post("/sign-in/look", async (ctx) => {
    const { secret } = bodyOf(ctx, secretBody);
    await limits.spend("links_from", ctx.ip);
    const { link, account } = await withAccount(await links.look(secret));
    ctx.body = { data: { account_name: account.name, member: link.email } satisfies LinkView };
  });

  router.post("/sign-in/link", async (ctx) => {
    const { secret } = bodyOf(ctx, secretBody);
    await limits.spend("links_from", ctx.ip);
    const signedIn = await signInBy(ctx, async () => (await withAccount(await links.take(secret))).link);
    ctx.status = 201;
    ctx.body = { data: signedIn };
  });

  router.post("/sign-in/email", async (ctx) => {
    if (!signInLinks) throw new PageError("not_found", "This service sends no sign-in links by e-mail.");
    const { email } = bodyOf(ctx, emailBody);
    await limits.spend("mails_from", ctx.ip);
    await limits.spend("mails_to", email);
    // After the answer, so that its time does not reveal who is a member.
    ctx.res.once("close", () => signInLinks.sendLater(email));
    ctx.status = 202;
    ctx.body = { data: { minutes: LINK_MINUTES } satisfies MailView };
  });

  router.post("/sign-out", async (ctx) => {
    const { session, actor } = await requireSession(ctx);
    await sessionsAs(actor).end(session);
    cookie.clear(ctx);
    ctx.status = 204;
  });
}

function noneWhenLimited(error: unknown): undefined {
  if (!(error instanceof PageError && error.code === "too_many_requests")) throw error;
}
