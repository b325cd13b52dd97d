import type { AccountStore } from "@tranche/shared/accounts/account-store";
import type { DailyUsage } from "@tranche/shared/accounts/daily-usage";
import type { FeedLinkStore } from "@tranche/shared/accounts/feed-link-store";
import type { ClientStore } from "@tranche/shared/accounts/client-store";
import type { GrantStore } from "@tranche/shared/accounts/grant-store";
import type { OAuthAddresses } from "@tranche/shared/accounts/oauth-addresses";
import type { RecentErrors } from "@tranche/shared/accounts/recent-errors";
import type { SessionStore } from "@tranche/shared/accounts/session-store";
import type { LinkStore } from "@tranche/shared/accounts/link-store";
import type { MemberStore } from "@tranche/shared/accounts/member-store";
import type { SignIns } from "@tranche/shared/accounts/sign-ins";
import type { Plans } from "@tranche/shared/accounts/plans";
import type { Logger } from "@tranche/shared/process/logger";
import type { FollowStore } from "@tranche/webhooks/follow-store";
import type { WebhookFilters } from "@tranche/webhooks/followed-lists";
import type { Webhooks } from "@tranche/webhooks/operations";
import type { From } from "@tranche/webhooks/progress";
import type { WebhookList } from "@tranche/webhooks/webhook";
import type { ApiClient } from "../explore/api-client.ts";
import type { FindClient } from "../oauth/client.ts";
import type { SearchStore } from "../searches/search-store.ts";
import type { Invite } from "../mail/invitations.ts";
import type { Slack } from "../slack/slack.ts";
import type { SignInLinks } from "../mail/sign-in-links.ts";
import type { Changes } from "../requests/changes.ts";
import type { Limits } from "../requests/limits.ts";
import type { Cookie } from "@tranche/http/pages/cookie";
import type { FindSession, NotedSessions } from "../sessions/find-session.ts";
import type { RequireSession } from "../sessions/signed-in.ts";

/** The dependencies of routes. */
export type DashboardParts = {
  /** Stores whose audit entries name the given actor. */
  accountsAs: (actor: string) => AccountStore;
  sessionsAs: (actor: string) => SessionStore;
  membersAs: (actor: string) => MemberStore;
  linksAs: (actor: string) => LinkStore;
  invitationsAs: (actor: string) => LinkStore;
  invite: Invite;
  /** The address of a sign-in link with this secret. */
  signInUrl: (secret: string) => string;
  /** Sends links by mail; undefined where there is no mail server. */
  signInLinks: SignInLinks | undefined;
  limits: Limits;
  dailyUsage: Pick<DailyUsage, "read">;
  recentErrors: Pick<RecentErrors, "read">;
  requireSession: RequireSession;
  findSession: FindSession;
  signIns: Pick<SignIns, "note" | "among">;
  notedSessions: NotedSessions;
  changes: Changes;
  cookie: Cookie;
  plans: () => Plans;
  /** Saved searches, changed in the name of the given member. */
  searchesAs: (actor: string) => SearchStore;
  /** Feed links, whose audit entries name the given actor. */
  feedLinksAs: (actor: string) => FeedLinkStore;
  /** Connected applications, whose audit entries name the given actor. */
  grantsAs: (actor: string) => GrantStore;
  /** Where applications are connected by OAuth; undefined where it is off. */
  oauth: OAuthAddresses | undefined;
  findClient: FindClient;
  /** Applications that have registered themselves. */
  clients: ClientStore;
  /** Webhooks, changed in the name of the given actor. */
  webhooksAs: (actor: string) => Webhooks;
  /** Follows, changed in the name of the given actor. */
  followsAs: (actor: string) => FollowStore;
  /** Follows in Slack; undefined where their addresses have no key. */
  slack: Pick<Slack, "key" | "assertRoom" | "greet"> | undefined;
  /** Reads the filters of what is followed. */
  followFilters: WebhookFilters;
  /** Where a follow begins that begins now. */
  followsFrom: (list: WebhookList) => Promise<From>;
  api: ApiClient;
  /** Address of the API for callers, without a path. */
  publicApiUrl: string;
  log: Logger;
};
