import type { Client } from "@elastic/elasticsearch";
import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { createClientStore } from "@tranche/shared/accounts/client-store";
import { createDailyUsage } from "@tranche/shared/accounts/daily-usage";
import { createFeedLinkStore } from "@tranche/shared/accounts/feed-link-store";
import { createGrantStore } from "@tranche/shared/accounts/grant-store";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { createLinkStore } from "@tranche/shared/accounts/link-store";
import { createMemberStore } from "@tranche/shared/accounts/member-store";
import { createRecentErrors } from "@tranche/shared/accounts/recent-errors";
import { createSessionStore } from "@tranche/shared/accounts/session-store";
import { createSignIns } from "@tranche/shared/accounts/sign-ins";
import { createFollowStore } from "@tranche/webhooks/follow-store";
import { createLimits } from "../requests/limits.ts";
import { createSearchStore } from "../explore/search-store.ts";
import { createKnownSessions } from "../sessions/find-session.ts";
import type { Cookie } from "@tranche/http/pages/cookie";
import type { OAuthAddresses } from "@tranche/shared/accounts/oauth-addresses";
import type { Plans } from "@tranche/shared/accounts/plans";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import type { Logger } from "@tranche/shared/process/logger";
import type { WebhookFilters } from "@tranche/webhooks/followed-lists";
import type { Webhooks } from "@tranche/webhooks/operations";
import type { From } from "@tranche/webhooks/progress";
import type { WebhookList } from "@tranche/webhooks/webhook";
import type { ApiClient } from "../explore/api-client.ts";
import type { Invite } from "../mail/invitations.ts";
import type { SignInLinks } from "../mail/sign-in-links.ts";
import type { FindClient } from "../oauth/client.ts";
import type { Changes } from "../requests/changes.ts";
import type { FindSession } from "../sessions/find-session.ts";
import type { RequireSession } from "../sessions/signed-in.ts";
import type { Slack } from "../slack/slack.ts";

type Engines = { client: Client; redis: RedisClient; names: IndexNames; namespace: string };

export type Stores = ReturnType<typeof createStores>;

/** The stores of the dashboard. `…As`: changed in the name of an actor, whom the audit log names. */
export function createStores({ client, redis, names, namespace }: Engines) {
  const copies = createHotCopies(redis, namespace);
  const accountsAs = (actor: string) => createAccountStore(client, names, { actor, copies });
  const accounts = accountsAs("dashboard");
  return {
    accounts,
    accountsAs,
    sessionsAs: (actor: string) => createSessionStore(client, names, { accounts, copies, actor }),
    membersAs: (actor: string) => createMemberStore(client, names, { actor, copies }),
    linksAs: (actor: string) => createLinkStore(client, names, { actor }),
    invitationsAs: (actor: string) => createLinkStore(client, names, { kind: "invitation", actor }),
    followsAs: (actor: string) => createFollowStore(client, names, { actor }),
    searchesAs: (actor: string) => createSearchStore(client, names.dashboard, { actor }),
    feedLinksAs: (actor: string) => createFeedLinkStore(client, names.accounts, { actor, copies }),
    grantsAs: (actor: string) =>
      createGrantStore(client, names, { copies, accountOf: (handle) => accounts.account(handle), actor }),
    clients: createClientStore(client, names),
    signIns: createSignIns(client, names),
    dailyUsage: createDailyUsage(redis, namespace),
    recentErrors: createRecentErrors(redis, namespace),
    limits: createLimits(redis, namespace),
    knownSessions: createKnownSessions(redis, namespace),
  };
}

/** The dependencies of routes: the stores, and what the process makes of its settings. */
export type DashboardParts = Stores & {
  invite: Invite;
  /** The address of a sign-in link with this secret. */
  signInUrl: (secret: string) => string;
  /** Sends links by mail; undefined where there is no mail server. */
  signInLinks: SignInLinks | undefined;
  requireSession: RequireSession;
  findSession: FindSession;
  changes: Changes;
  cookie: Cookie;
  plans: () => Plans;
  /** Where applications are connected by OAuth; undefined where it is off. */
  oauth: OAuthAddresses | undefined;
  findClient: FindClient;
  /** Webhooks, changed in the name of the given actor. */
  webhooksAs: (actor: string) => Webhooks;
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
