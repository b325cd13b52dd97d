import { createAccountStore } from "@tranche/shared/accounts/account-store";
import { createFeedLinkStore } from "@tranche/shared/accounts/feed-link-store";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { createIngestTokenStore } from "@tranche/shared/accounts/ingest-token-store";
import { createMappingStore } from "@tranche/shared/accounts/mapping-store";
import { createMemberStore } from "@tranche/shared/accounts/member-store";
import { createFollowStore } from "@tranche/webhooks/follow-store";
import type { Installation } from "../installation/installation.ts";
import type { Doing } from "./operation.ts";

/** Makes the stores of an installation, changed in the name of an actor. */
export function createDoing(installation: Installation): (actor: string) => Doing {
  const { client, names, redis, settings } = installation;
  const copies = createHotCopies(redis, settings.TRANCHE_NAMESPACE);
  return (actor) => {
    const by = { actor, copies };
    return {
      actor,
      accounts: createAccountStore(client, names, by),
      members: createMemberStore(client, names, by),
      follows: createFollowStore(client, names, by),
      feedLinks: createFeedLinkStore(client, names.accounts, by),
      ingestTokens: createIngestTokenStore(client, names.accounts, by),
      mappings: createMappingStore(client, names.accounts, by),
      installation,
    };
  };
}
