import { fileURLToPath } from "node:url";
import { oauthIfOn } from "@tranche/shared/accounts/oauth-addresses";
import type { Logger } from "@tranche/shared/process/logger";
import { publicPath } from "@tranche/shared/process/public-path";
import type { Settings } from "@tranche/shared/process/settings";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import type { Admission } from "./admission/admission.ts";
import { createFeedReader } from "./changes/changes.ts";
import { createGivenPositions } from "./changes/given-positions.ts";
import { createPositionsByTime } from "./changes/positions-by-time.ts";
import { createFeedWatch } from "./changes/watch.ts";
import { createSlots, WAIT_LIMITS, WAITS } from "./exports/slots.ts";
import { createReadMcpRequests } from "./redis/mcp-requests.ts";
import { createReadPublishing } from "./redis/open-writes.ts";
import { type Base, SEARCH_TIMEOUT_MS } from "./engines.ts";
import type { ListCaches } from "./cache/cached-list.ts";
import { createFeedLinks } from "./feed-links/feed-links.ts";
import { createFindNames } from "./name-search/find-names.ts";
import { createKnownValues } from "./name-search/values.ts";
import { createPagerCaches } from "./paging/caches.ts";
import { createPager } from "./paging/pager.ts";
import { createPointsInTime } from "./search/point-in-time.ts";
import { createLackingFields, lackingFields } from "./search/lacking-fields.ts";
import { createSearch, type Search } from "./search/search.ts";
import { createUnknownItems } from "./search/unknown-items.ts";
import { createObserveSearch } from "./serve/observe.ts";

const BUILT_DOCS = fileURLToPath(new URL("../../web/dist/docs", import.meta.url));

/** Everything that asks Elasticsearch for rows, names and values. */
export function searchingParts(
  { settings, client, patientClient, names, timing, metrics, log }: Base,
  caches: ListCaches | undefined,
) {
  const searching = { timeoutMs: SEARCH_TIMEOUT_MS, observe: createObserveSearch(log, metrics) };
  const search = createSearch(client, searching);
  const knownValues = createKnownValues({ search, names, generations: caches?.generations });
  return {
    names,
    dealTypes: readDealTypes(settings.TRANCHE_VOCABULARY_FILE),
    search,
    lacking: createLackingFields((model) => lackingFields(client, names, model), timing.lackingFields),
    unknownItems: createUnknownItems(search),
    knownValues,
    findNames: createFindNames({ search, names, knownValues }),
    page: createPager({ search, ...createPagerCaches() }),
    openExport: createPointsInTime(client, searching),
    statistics: {
      search: createSearch(patientClient, searching),
      openPointInTime: createPointsInTime(patientClient, searching),
    },
  };
}

export function feedParts({ client, names, gateway, namespace, timing }: Base, search: Search) {
  const watch = createFeedWatch(gateway, namespace, timing);
  return {
    watch,
    changes: createFeedReader({ search, watch }),
    waits: createSlots(gateway, namespace, WAIT_LIMITS, WAITS),
    positions: createGivenPositions(client, names),
    // Real time, as tickets are.
    byTime: createPositionsByTime({ client, names, search, now: Date.now, keptMs: timing.feedNotesKept }),
  };
}

/** Callers: their identity, their rights, and the records of their use. */
export function accountParts({ client, names, gateway, namespace }: Base, admission: Admission) {
  const { identify, admit, checkKey, settle, recordError } = admission;
  return {
    identify,
    admit,
    checkKey,
    settle,
    recordError,
    feedLinks: createFeedLinks({ client, names, gateway, namespace, now: Date.now }),
    mcpRequests: createReadMcpRequests(gateway, namespace),
    publishing: createReadPublishing(gateway, namespace),
  };
}

/** Where the service, its docs and its dashboard are found. */
export function addressParts(settings: Settings, log: Logger) {
  return {
    publicUrl: settings.TRANCHE_PUBLIC_URL,
    publicPath: publicPath(settings),
    oauth: oauthIfOn(settings, log),
    docs: { folder: BUILT_DOCS, dashboardUrl: settings.TRANCHE_DASHBOARD_URL },
  };
}
