import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { createSessionStore, type SessionStore } from "@tranche/shared/accounts/session-store";
import { createLinkStore, type LinkStore } from "@tranche/shared/members/link-store";
import { createMemberStore, type MemberStore } from "@tranche/shared/members/member-store";
import { operator } from "../audit/operator.ts";
import type { Engines } from "../engines/connect.ts";
import { accountStore } from "./store.ts";

/** Members, their links and sessions, changed in the name of the user at the command line. */
export function memberStores(engines: Engines): { members: MemberStore; links: LinkStore; sessions: SessionStore } {
  const { client, names, redis, settings } = engines;
  const actor = operator();
  const copies = createHotCopies(redis, settings.TRANCHE_NAMESPACE);
  return {
    members: createMemberStore(client, names, { actor }),
    links: createLinkStore(client, names, { actor }),
    sessions: createSessionStore(client, names.accounts, { accounts: accountStore(engines), copies, actor }),
  };
}
