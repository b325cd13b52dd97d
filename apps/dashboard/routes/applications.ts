import { MAX_APPLICATIONS } from "@tranche/shared/accounts/grant-store";
import { PageError } from "@tranche/http/errors/page-error";
import { shownTarget } from "../oauth/redirects.ts";
import type { DashboardParts } from "./parts.ts";
import { request } from "./requests.ts";

/** The applications that members of the session's account have connected: developers may see and end them, as with keys. */
export function applicationRequests({ grantsAs }: DashboardParts) {
  return {
    "GET /applications": request({ role: "developer" }, async ({ account: { account } }) => {
      const store = grantsAs("dashboard");
      const [grants, uses] = await Promise.all([store.ofAccount(account), store.lastUses(account)]);
      const applications = grants.map((grant) => {
        const exchanged = grant.refreshed_at ?? grant.created_at;
        const used = uses.get(grant.key_id) ?? "";
        return {
          id: grant.key_id,
          /** As the application calls itself. */
          name: grant.client.name,
          /** The host that describes it; null for one that has registered itself. */
          host: grant.client.host,
          /** Where it was sent its code, in words. */
          redirect: shownTarget(grant.redirect_uri),
          /** The member who connected it. */
          member: grant.email,
          connected_at: grant.created_at,
          last_used_at: used > exchanged ? used : exchanged,
          /** When it is over unless it is used. */
          expires_at: grant.expires_at,
        };
      });
      return { applications, max: MAX_APPLICATIONS };
    }),

    "DELETE /applications/:id": request({ role: "developer" }, async ({ account, actor, id }) => {
      const ended = await grantsAs(actor).end(account.account, id);
      if (!ended) throw new PageError("not_found", "This application is not connected any more.");
    }),
  };
}
