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
import type { Base } from "./engines.ts";
import { createLimits } from "./requests/limits.ts";
import { createSearchStore } from "./searches/search-store.ts";
import { createNotedSessions } from "./sessions/find-session.ts";

export type Stores = ReturnType<typeof createStores>;

/** The stores of the dashboard. `…As`: changed in the name of an actor, whom the audit log names. */
export function createStores({ client, redis, names, namespace }: Base) {
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
    notedSessions: createNotedSessions(redis, namespace),
  };
}
