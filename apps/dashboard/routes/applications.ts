import type Router from "@koa/router";
import { MAX_APPLICATIONS } from "@tranche/shared/accounts/grant-store";
import { PageError } from "@tranche/http/errors/page-error";
import { shownTarget } from "../oauth/redirects.ts";
import type { DashboardParts } from "./parts.ts";
import { addRequests } from "./requests.ts";

/** A connected application. */
export type ApplicationRow = {
  id: string;
  /** As the application calls itself. */
  name: string;
  /** The host that describes it; null for one that has registered itself. */
  host: string | null;
  /** Where it was sent its code, in words. */
  redirect: string;
  /** The member who connected it. */
  member: string;
  connected_at: string;
  last_used_at: string;
  /** When it is over unless it is used. */
  expires_at: string;
};
export type ApplicationsView = { applications: ApplicationRow[]; max: number };

/** The applications that members of the session's account have connected: developers may see and end them, as with keys. */
export function addApplications(router: Router, { requireSession, grantsAs }: DashboardParts): void {
  addRequests(router, requireSession, {
    async "GET /applications"({ account: { account } }): Promise<ApplicationsView> {
      const store = grantsAs("dashboard");
      const [grants, uses] = await Promise.all([store.ofAccount(account), store.lastUses(account)]);
      const applications = grants.map((grant) => {
        const exchanged = grant.refreshed_at ?? grant.created_at;
        const used = uses.get(grant.key_id) ?? "";
        return {
          id: grant.key_id,
          name: grant.client.name,
          host: grant.client.host,
          redirect: shownTarget(grant.redirect_uri),
          member: grant.email,
          connected_at: grant.created_at,
          last_used_at: used > exchanged ? used : exchanged,
          expires_at: grant.expires_at,
        };
      });
      return { applications, max: MAX_APPLICATIONS };
    },

    async "DELETE /applications/:id"({ account, actor }, ctx) {
      const ended = await grantsAs(actor).end(account.account, ctx["params"].id);
      if (!ended) throw new PageError("not_found", "This application is not connected any more.");
    },
  });
}
