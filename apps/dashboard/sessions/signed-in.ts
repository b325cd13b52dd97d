import { createHmac } from "node:crypto";
import { isSame } from "@tranche/http/server/same-origin";
import type { Account, SessionRecord } from "@tranche/shared/accounts/account";
import type { Context } from "koa";
import { DashboardError } from "../errors/dashboard-error.ts";
import type { Changes } from "../requests/changes.ts";
import type { SessionCookie } from "./cookie.ts";
import type { FindSession } from "./find-session.ts";
import type { NoteUse } from "./use-notes.ts";

const CSRF_HEADER = "X-CSRF-Token";
const SAFE_METHODS = new Set(["GET", "HEAD"]);

/** The signed-in member: the session of a request, its account, and the token of its cookie. */
export type SignedIn = {
  account: Account;
  session: SessionRecord;
  token: string;
  /** The member who makes the request, as the audit log names them. */
  actor: string;
  /**
   * Throws `signed_out` when the session has ended since the request began. It is called after something was made that outlives the
   * session, because the member may have been removed meanwhile.
   */
  assertStill: () => Promise<void>;
};

/**
 * The session of a request. Throws `signed_out`; `csrf_failed` when a request that changes something lacks its token; `too_many_requests`
 * for too many changes, or wrong cookies from the same IP address.
 */
export type RequireSession = (ctx: Context) => Promise<SignedIn>;

export function createRequireSession(
  cookie: SessionCookie,
  findSession: FindSession,
  changes: Pick<Changes, "begin">,
  noteUse: NoteUse,
): RequireSession {
  return async (ctx) => {
    const token = cookie.read(ctx);
    if (token === undefined) throw new DashboardError("signed_out", "You are not signed in.");
    const find = async () => {
      const found = await findSession(token, ctx.ip);
      if (found) return found;
      cookie.clear(ctx);
      throw new DashboardError("signed_out", "Your session is over.");
    };
    const found = await find();
    if (!SAFE_METHODS.has(ctx.method)) {
      if (!isSame(ctx.get(CSRF_HEADER), csrfTokenOf(token))) {
        throw new DashboardError("csrf_failed", "This page is out of date. Reload it, and try again.");
      }
      await changes.begin(ctx, { account: found.account.account, member: found.session.member });
    }
    noteUse(found.session);
    return { ...found, token, actor: actorOf(found.session), assertStill: async () => void (await find()) };
  };
}

/** The actor of a session. It names who made its link, too, if that was another member. */
export function actorOf({ member, by }: Pick<SessionRecord, "member" | "by">): string {
  return by && by.email !== member ? `member:${member} (by a link of ${by.email})` : `member:${member}`;
}

/** The token that only our own pages know. It can't be derived without the session's token, which scripts never see. */
export const csrfTokenOf = (token: string): string =>
  createHmac("sha256", token).update("csrf token of the dashboard").digest("base64url");
