import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { createLinkStore, type LinkStore } from "@tranche/shared/accounts/link-store";
import { createMemberStore, type MemberStore } from "@tranche/shared/accounts/member-store";
import { operator } from "../context/operator.ts";
import type { Engines } from "../context/connect.ts";

/** Members and their links, changed in the name of the user at the command line. */
export function memberStores(engines: Engines): { members: MemberStore; links: LinkStore } {
  const { client, names, redis, settings } = engines;
  const actor = operator();
  return {
    members: createMemberStore(client, names, { actor, copies: createHotCopies(redis, settings.TRANCHE_NAMESPACE) }),
    links: createLinkStore(client, names, { actor }),
  };
}
