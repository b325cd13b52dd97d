import type Router from "@koa/router";
import { PageError } from "@tranche/http/errors/page-error";
import { browserName } from "../sessions/browser-name.ts";
import type { DashboardParts } from "./parts.ts";
import { addRequests } from "./requests.ts";

/** A browser that is signed in. */
export type SessionRow = {
  id: string;
  browser: string;
  created_at: string;
  /** To the minute; null until it was used. */
  last_used_at: string | null;
  expires_at: string;
  /** The session of this request. */
  is_this: boolean;
};

/** The sessions of the signed-in member, in the account of the session. */
export function addSessions(router: Router, { requireSession, sessionsAs, membersAs, cookie }: DashboardParts): void {
  addRequests(router, requireSession, {
    async "GET /sessions"({ session: own }): Promise<SessionRow[]> {
      const sessions = await sessionsAs("dashboard").ofMember(own.account, own.member);
      return sessions.map(({ key_id, name, created_at, last_used_at, expires_at }) => ({
        id: key_id,
        browser: browserName(name),
        created_at,
        last_used_at: last_used_at ?? null,
        expires_at,
        is_this: key_id === own.key_id,
      }));
    },

    async "DELETE /sessions/:id"({ session: own, actor }, ctx) {
      const store = sessionsAs(actor);
      const session = (await store.ofMember(own.account, own.member)).find(({ key_id }) => key_id === ctx["params"].id);
      if (!session) throw new PageError("not_found", "This session is over already.");
      await store.end(session);
      if (session.key_id === own.key_id) cookie.clear(ctx);
    },

    async "POST /sign-out-everywhere"({ session: own, actor }, ctx) {
      await membersAs(actor).signOut(own.account, own.member);
      cookie.clear(ctx);
    },
  });
}
