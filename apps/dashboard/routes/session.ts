import { csrfTokenOf } from "@tranche/http/pages/csrf";
import type { DashboardParts } from "./parts.ts";
import { request } from "./requests.ts";

export function sessionRequests({ plans, publicApiUrl }: DashboardParts) {
  return {
    /** The session of a member, as the pages see it. */
    "GET /session": request({ role: "viewer" }, async ({ account, session, rights, token }) => {
      const plan = plans()[account.plan];
      return {
        account: {
          id: account.account,
          name: account.name,
          plan: account.plan,
          plan_name: plan?.name ?? account.plan,
          status: account.status,
          /** The largest page. Missing for a plan that the plans file no longer has. */
          ...(plan ? { max_limit: plan.max_limit } : {}),
          /** Whole results. */
          can_export: plan?.export ?? false,
        },
        member: session.member,
        /** `role` of the session, and `admins`, who can give another; none where all members are admins. */
        ...rights,
        session_id: session.key_id,
        csrf_token: csrfTokenOf(token, "the dashboard"),
        /** Address of the API, without a path. */
        api_url: publicApiUrl,
      };
    }),
  };
}
