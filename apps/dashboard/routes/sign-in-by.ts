import type { MemberLink } from "@tranche/shared/accounts/member";
import type { Context } from "koa";
import { actorOf } from "../sessions/signed-in.ts";
import type { DashboardParts } from "./parts.ts";

const MAX_BROWSER_NAME = 300;

/** Signs the browser of a request in by a link, which `take` uses up, and ends the session that was there. */
type SignInBy = (ctx: Context, take: () => Promise<MemberLink>) => Promise<{ account: string; member: string }>;

export function createSignInBy({
  sessionsAs,
  knownSessions,
  signIns,
  cookie,
}: Pick<DashboardParts, "sessionsAs" | "knownSessions" | "signIns" | "cookie">): SignInBy {
  const sessions = sessionsAs("dashboard");

  /** The session that signing in ends. It is looked up past the limit of wrong cookies, too: links have a limit of their own. */
  const replacedBy = async (ctx: Context) => {
    const token = cookie.read(ctx);
    return token === undefined ? undefined : sessions.find(token);
  };
  return async (ctx, take) => {
    // Before the link is used up: a failure of this look-up must not cost it.
    const replaced = await replacedBy(ctx);
    const link = await take();
    const { account, email: member, stamp, by } = link;
    const name = ctx.get("User-Agent").slice(0, MAX_BROWSER_NAME);
    // A member who is removed meanwhile gets a session that was over before it began.
    const { token, session } = await sessionsAs(actorOf({ member, by })).start({ account, member, stamp, by, name });
    if (replaced) await sessionsAs(actorOf(replaced.session)).end(replaced.session);
    await knownSessions.note(session.key_hash);
    await signIns.note(link);
    cookie.write(ctx, token, new Date(session.expires_at));
    return { account, member };
  };
}
