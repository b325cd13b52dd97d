import type Router from "@koa/router";
import { z } from "zod";
import { DashboardError } from "../errors/dashboard-error.ts";
import { bodyOf } from "../requests/body.ts";
import type { Parts } from "./parts.ts";

const secret = z.object({ secret: z.string("Send the secret of the link.").max(100) });

/** Signing in by a link, and signing out. Looking at a link changes nothing, because mail scanners do so. */
export function addSignIn(router: Router, { membersAs, accountsAs, sessionsAs, cookie, requireSession }: Parts): void {
  router.post("/sign-in/link", async (ctx) => {
    const link = await membersAs("dashboard").takeLink(bodyOf(ctx, secret).secret);
    const account = link && (await accountsAs("dashboard").account(link.account));
    if (!link || !account || account.status === "deleted") {
      throw new DashboardError(
        "link_unusable",
        "This link was used before, is older than 15 minutes, or never was one.",
      );
    }
    const { token, session } = await sessionsAs(`member:${link.email}`).start({
      account: link.account,
      member: link.email,
      name: ctx.get("User-Agent").slice(0, 300),
    });
    cookie.write(ctx, token, new Date(session.expires_at));
    ctx.status = 201;
    ctx.body = { data: { account: link.account, member: link.email } };
  });

  router.post("/sign-out", async (ctx) => {
    const { session } = await requireSession(ctx);
    await sessionsAs(`member:${session.member}`).end(session);
    cookie.clear(ctx);
    ctx.status = 204;
  });
}
