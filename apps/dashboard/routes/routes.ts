import { Router } from "@koa/router";
import { PAGES_API } from "../sessions/needed-roles.ts";
import { addApplications } from "./applications.ts";
import { addExplore } from "./explore.ts";
import { addFeeds } from "./feeds.ts";
import { addFollows } from "./follows.ts";
import { addInvitations } from "./invitations.ts";
import { addLog } from "./log.ts";
import { addMembers } from "./members.ts";
import { addParameters } from "./parameters.ts";
import { addKeys } from "./keys.ts";
import { addOAuth } from "./oauth.ts";
import type { DashboardParts } from "./parts.ts";
import { addSearches } from "./searches.ts";
import { addSession } from "./session.ts";
import { addSessions } from "./sessions.ts";
import { addSignIn } from "./sign-in.ts";
import { addUnsubscribe } from "./unsubscribe.ts";
import { addUsage } from "./usage.ts";
import { addWebhooks } from "./webhooks.ts";

/** Every request of the pages, under `/dashboard/api`. */
export function createRouter(parts: DashboardParts): Router {
  const router = new Router({ prefix: PAGES_API });
  addSession(router, parts);
  addSignIn(router, parts);
  addInvitations(router, parts);
  addParameters(router, parts);
  addMembers(router, parts);
  addSessions(router, parts);
  addLog(router, parts);
  addKeys(router, parts);
  addApplications(router, parts);
  addOAuth(router, parts);
  addUsage(router, parts);
  addExplore(router, parts);
  addSearches(router, parts);
  addFeeds(router, parts);
  addFollows(router, parts);
  addUnsubscribe(router, parts);
  addWebhooks(router, parts);
  return router;
}
