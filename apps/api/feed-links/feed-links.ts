import type { Client } from "@elastic/elasticsearch";
import { type FeedLink, keyDocumentId } from "@tranche/shared/accounts/account";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { readSearch } from "@tranche/shared/accounts/read-searches";
import type { SavedSearch } from "@tranche/shared/accounts/saved-search";
import type { Credentials } from "../admission/credentials.ts";
import { engineError } from "../errors/engine-error.ts";
import type { RedisGateway } from "../redis/gateway.ts";
import { createFeedPageCache, type FeedPageCache } from "./page-cache.ts";

const READ_WITHIN_MS = 3000;

/** The sources of the route of feed links beside the documents. */
export type FeedLinks = {
  pages: FeedPageCache;
  /** The saved search of a link; undefined when the link or the search no longer exists. */
  search(link: Credentials): Promise<SavedSearch | undefined>;
};

/** `now`: real time in ms. */
export function createFeedLinks(parts: {
  client: Client;
  names: IndexNames;
  gateway: RedisGateway;
  namespace: string;
  now: () => number;
}): FeedLinks {
  const { client, names, gateway, namespace, now } = parts;
  return {
    pages: createFeedPageCache(gateway, namespace, now),
    async search({ handle, hash }) {
      try {
        const found = await client.get<FeedLink>(
          { index: names.accounts, id: keyDocumentId(hash) },
          { ignore: [404], requestTimeout: READ_WITHIN_MS },
        );
        const link = found.found ? found._source! : undefined;
        if (link?.kind !== "feed" || link.account !== handle) return undefined;
        return (await readSearch(client, names.dashboard, { account: handle, id: link.search }))?.search;
      } catch (error) {
        throw engineError(error);
      }
    },
  };
}
