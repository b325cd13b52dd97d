import type Router from "@koa/router";
import { csrfTokenOf } from "@tranche/http/pages/csrf";
import type { Role } from "@tranche/shared/accounts/role";
import type { DashboardParts } from "./parts.ts";
import { addRequests } from "./requests.ts";

/** The session of a member, as the pages see it. */
export type SessionView = {
  account: {
    id: string;
    name: string;
    plan: string;
    plan_name: string;
    status: string;
    /** Largest page, and whether whole results can be exported. Undefined for a plan that the plans file no longer has. */
    max_limit?: number;
    can_export: boolean;
  };
  member: string;
  /** The role of the session. */
  role: Role;
  /** Who can give another role; none where all members are admins. */
  admins: readonly string[];
  session_id: string;
  csrf_token: string;
  /** Address of the API, without a path. */
  api_url: string;
};

export function addSession(router: Router, { requireSession, plans, publicApiUrl }: DashboardParts): void {
  addRequests(router, requireSession, {
    async "GET /session"({ account, session, rights, token }): Promise<SessionView> {
      const plan = plans()[account.plan];
      return {
        account: {
          id: account.account,
          name: account.name,
          plan: account.plan,
          plan_name: plan?.name ?? account.plan,
          status: account.status,
          ...(plan ? { max_limit: plan.max_limit } : {}),
          can_export: plan?.export ?? false,
        },
        member: session.member,
        ...rights,
        session_id: session.key_id,
        csrf_token: csrfTokenOf(token, "the dashboard"),
        api_url: publicApiUrl,
      };
    },
  });
}
