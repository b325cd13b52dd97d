import type { Account } from "@tranche/shared/accounts/account";
import { LINK_MINUTES, type MemberLink } from "@tranche/shared/accounts/member";
import type { Context } from "koa";
import { z } from "zod";
import { PageError } from "@tranche/http/errors/page-error";
import { givenEmail } from "@tranche/operations/accounts/given";
import { NO_MAILS } from "../mail/mailer.ts";
import type { DashboardParts } from "./parts.ts";
import { openRequest, request } from "./requests.ts";
import { createSignInBy } from "./sign-in-by.ts";

const secretBody = z.object({ secret: z.string("Send the secret of the link.").max(100) });
const emailBody = z.object({ email: givenEmail });

/** Signing in by a link, asking for one by mail, and signing out. */
export function signInRequests(parts: DashboardParts) {
  const { linksAs, accountsAs, sessionsAs, signInLinks, limits, cookie, findSession, publicApiUrl } = parts;
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

  /** The member who is signed in already. Wrong cookies of others at the same IP address keep nobody from signing in. */
  const found = async (ctx: Context) => {
    const token = cookie.read(ctx);
    return token === undefined ? undefined : findSession(token, ctx.ip).catch(noneWhenLimited);
  };

  return {
    /** How people can sign in here, and the member who is already signed in. */
    "GET /sign-in": openRequest({}, async ({ ctx }) => {
      const there = await found(ctx);
      return {
        by_email: signInLinks !== undefined,
        docs_url: `${publicApiUrl}/docs`,
        signed_in: there ? { account_name: there.account.name, member: there.session.member } : null,
      };
    }),

    // A POST, because addresses of requests are logged. It changes nothing: mail scanners open links and run scripts.
    "POST /sign-in/look": openRequest({ body: secretBody }, async ({ ctx, body: { secret } }) => {
      await limits.spend("links_from", ctx.ip);
      const { link, account } = await withAccount(await links.look(secret));
      return { account_name: account.name, member: link.email };
    }),

    "POST /sign-in/link": openRequest({ body: secretBody, status: 201 }, async ({ ctx, body: { secret } }) => {
      await limits.spend("links_from", ctx.ip);
      return signInBy(ctx, async () => (await withAccount(await links.take(secret))).link);
    }),

    /** The answer is the same for every address. */
    "POST /sign-in/email": openRequest({ body: emailBody, status: 202 }, async ({ ctx, body: { email } }) => {
      if (!signInLinks) throw new PageError("not_found", NO_MAILS);
      await limits.spend("mails_from", ctx.ip);
      await limits.spend("mails_to", email);
      // After the answer, so that its time does not reveal who is a member.
      ctx.res.once("close", () => signInLinks.sendLater(email));
      return { minutes: LINK_MINUTES };
    }),

    "POST /sign-out": request({ role: "viewer" }, async ({ session, actor, ctx }) => {
      await sessionsAs(actor).end(session);
      cookie.clear(ctx);
    }),
  };
}

function noneWhenLimited(error: unknown): undefined {
  if (!(error instanceof PageError && error.code === "too_many_requests")) throw error;
}
