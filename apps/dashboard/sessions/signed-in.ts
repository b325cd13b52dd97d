import { assertCsrfToken, changesSomething, csrfTokenOf } from "@tranche/http/pages/csrf";
import type { Account, Rights, SessionRecord } from "@tranche/shared/accounts/account";
import type { Role } from "@tranche/shared/accounts/role";
import type { Context } from "koa";
import { PageError } from "@tranche/http/errors/page-error";
import type { Changes } from "../requests/changes.ts";
import type { Cookie } from "@tranche/http/pages/cookie";
import type { FindSession } from "./find-session.ts";
import { assertMayDo, assertOwnSession, otherMakerOf } from "./rights.ts";
import type { NoteUse } from "./use-notes.ts";

/** The signed-in member: the session of a request, its account, and the token of its cookie. */
export type SignedIn = {
  account: Account;
  session: SessionRecord;
  rights: Rights;
  token: string;
  /** The member who makes the request, as the audit log names them. */
  actor: string;
  /**
   * Throws `signed_out` when the session has ended since the request began, and `forbidden` when it has lost its role. It is called after something
   * was made that outlives the session, because the member may have been removed meanwhile.
   */
  assertStill: () => Promise<void>;
};

/**
 * What a request needs. `ownSession`: a member decides it about themselves alone, so a session by somebody else's link is refused: its rights
 * are the lower ones of the two, and this needs none that whoever made the link could have lost.
 */
type Needed = { role: Role; ownSession?: true | undefined };

/**
 * The session of a request. Throws `signed_out`; `forbidden` when it lacks what the request needs; `csrf_failed` when a request that changes something lacks its token; `too_many_requests`
 * for too many changes, or wrong cookies from the same IP address.
 */
export type RequireSession = (ctx: Context, needed: Needed) => Promise<SignedIn>;

export function createRequireSession(
  cookie: Cookie,
  findSession: FindSession,
  changes: Pick<Changes, "begin">,
  noteUse: NoteUse,
): RequireSession {
  return async (ctx, needed) => {
    const token = cookie.read(ctx);
    if (token === undefined) throw new PageError("signed_out", "You are not signed in.");
    const find = async () => {
      const found = await findSession(token, ctx.ip);
      if (found) {
        assertMayDo(found.rights, needed.role);
        if (needed.ownSession) assertOwnSession(found.session);
        return found;
      }
      cookie.clear(ctx);
      throw new PageError("signed_out", "Your session is over.");
    };
    const found = await find();
    if (changesSomething(ctx)) {
      assertCsrfToken(ctx, csrfTokenOf(token, "the dashboard"));
      await changes.begin(ctx, { account: found.account.account, member: found.session.member });
    }
    noteUse(found.session);
    return { ...found, token, actor: actorOf(found.session), assertStill: async () => void (await find()) };
  };
}

/** The actor of a session. It names who made its link, too, if that was another member. */
export function actorOf(session: Pick<SessionRecord, "member" | "by">): string {
  const maker = otherMakerOf(session);
  return maker === undefined ? `member:${session.member}` : `member:${session.member} (by a link of ${maker})`;
}
