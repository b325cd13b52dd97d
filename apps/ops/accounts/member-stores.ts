import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { createLinkStore, type LinkStore } from "@tranche/shared/members/link-store";
import { createMemberStore, type MemberStore } from "@tranche/shared/members/member-store";
import { operator } from "../audit/operator.ts";
import type { Engines } from "../engines/connect.ts";

/** Members and their links, changed in the name of the user at the command line. */
export function memberStores(engines: Engines): { members: MemberStore; links: LinkStore } {
  const { client, names, redis, settings } = engines;
  const actor = operator();
  return {
    members: createMemberStore(client, names, { actor, copies: createHotCopies(redis, settings.TRANCHE_NAMESPACE) }),
    links: createLinkStore(client, names, { actor }),
  };
}
