import { Router } from "@koa/router";
import type { Sent } from "@tranche/http/pages/requests";
import { applicationRequests } from "./applications.ts";
import { exploreRequests } from "./explore.ts";
import { feedRequests } from "./feeds.ts";
import { followRequests } from "./follows.ts";
import { invitationRequests } from "./invitations.ts";
import { keyRequests } from "./keys.ts";
import { logRequests } from "./log.ts";
import { memberFollowRequests } from "./member-follows.ts";
import { memberRequests } from "./members.ts";
import { oauthRequests } from "./oauth.ts";
import { parameterRequests } from "./parameters.ts";
import type { DashboardParts } from "./parts.ts";
import { addDashboardRequests } from "./requests.ts";
import { searchRequests } from "./searches.ts";
import { sessionRequests } from "./session.ts";
import { sessionListRequests } from "./sessions.ts";
import { signInRequests } from "./sign-in.ts";
import { unsubscribeRequests } from "./unsubscribe.ts";
import { usageRequests } from "./usage.ts";
import { webhookRequests } from "./webhooks.ts";

/** All requests of the pages are below it. */
export const PAGES_API = "/dashboard/api";

/** Every request of the pages, by method and path. */
export const dashboardRequests = (parts: DashboardParts) => ({
  ...sessionRequests(parts),
  ...signInRequests(parts),
  ...invitationRequests(parts),
  ...parameterRequests(parts),
  ...memberRequests(parts),
  ...sessionListRequests(parts),
  ...logRequests(parts),
  ...keyRequests(parts),
  ...applicationRequests(parts),
  ...oauthRequests(parts),
  ...usageRequests(parts),
  ...exploreRequests(parts),
  ...searchRequests(parts),
  ...feedRequests(parts),
  ...followRequests(parts),
  ...memberFollowRequests(parts),
  ...unsubscribeRequests(parts),
  ...webhookRequests(parts),
});

/** The types of bodies and data of the pages, made of the requests. */
export type DashboardRequests = Sent<ReturnType<typeof dashboardRequests>>;

/** The router of the pages' requests, under `/dashboard/api`. */
export function createRouter(parts: DashboardParts): Router {
  const router = new Router({ prefix: PAGES_API });
  addDashboardRequests(router, dashboardRequests(parts), parts.requireSession);
  return router;
}
