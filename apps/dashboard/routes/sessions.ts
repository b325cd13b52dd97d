import { PageError } from "@tranche/http/errors/page-error";
import { browserName } from "../sessions/browser-name.ts";
import type { DashboardParts } from "./parts.ts";
import { request } from "./requests.ts";

/** The sessions of the signed-in member, in the account of the session. */
export function sessionListRequests({ sessionsAs, membersAs, cookie }: DashboardParts) {
  return {
    "GET /sessions": request({ role: "viewer" }, async ({ session: own }) => {
      const sessions = await sessionsAs("dashboard").ofMember(own.account, own.member);
      return sessions.map(({ key_id, name, created_at, last_used_at, expires_at }) => ({
        id: key_id,
        browser: browserName(name),
        created_at,
        /** To the minute; null until it was used. */
        last_used_at: last_used_at ?? null,
        expires_at,
        /** The session of this request. */
        is_this: key_id === own.key_id,
      }));
    }),

    "DELETE /sessions/:id": request({ role: "viewer", ownSession: true }, async ({ session: own, actor, id, ctx }) => {
      const store = sessionsAs(actor);
      const session = (await store.ofMember(own.account, own.member)).find(({ key_id }) => key_id === id);
      if (!session) throw new PageError("not_found", "This session is over already.");
      await store.end(session);
      if (session.key_id === own.key_id) cookie.clear(ctx);
    }),

    "POST /sign-out-everywhere": request({ role: "viewer", ownSession: true }, async ({ session: own, actor, ctx }) => {
      await membersAs(actor).signOut(own.account, own.member);
      cookie.clear(ctx);
    }),
  };
}
