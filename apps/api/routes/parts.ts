import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import type { OAuthAddresses } from "@tranche/shared/accounts/oauth-addresses";
import type { Logger } from "@tranche/shared/process/logger";
import type { Timing } from "@tranche/shared/process/timing";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import type { Admit } from "../admission/admit.ts";
import type { CheckKey } from "../admission/check-key.ts";
import type { Identify } from "../admission/identify.ts";
import type { ErrorLog } from "../admission/error-log.ts";
import type { Settle } from "../admission/settle.ts";
import type { FeedReader } from "../changes/changes.ts";
import type { GivenPositions } from "../changes/given-positions.ts";
import type { PositionsByTime } from "../changes/positions-by-time.ts";
import type { FeedWatch } from "../changes/watch.ts";
import type { Exports } from "../exports/exports.ts";
import type { Slots } from "../exports/slots.ts";
import type { ListCaches } from "../cache/cached-list.ts";
import type { FeedLinks } from "../feed-links/feed-links.ts";
import type { FindNames } from "../name-search/find-names.ts";
import type { KnownValues } from "../name-search/values.ts";
import type { Publishing } from "../redis/open-writes.ts";
import type { Pager } from "../paging/pager.ts";
import type { Turns } from "../serve/turns.ts";
import type { Observe } from "../serve/observe.ts";
import type { LackingFields } from "../search/lacking-fields.ts";
import type { OpenPointInTime } from "../search/point-in-time.ts";
import type { Search } from "../search/search.ts";
import type { UnknownItems } from "../search/unknown-items.ts";

/** The dependencies of the routes, made by the composition root. */
export type ApiParts = {
  names: IndexNames;
  dealTypes: DealTypes;
  search: Search;
  /** Fields that can't be searched until a rebuild. */
  lacking: LackingFields;
  unknownItems: UnknownItems;
  turns: Turns;
  knownValues: KnownValues;
  findNames: FindNames;
  identify: Identify;
  admit: Admit;
  checkKey: CheckKey;
  feedLinks: FeedLinks;
  /** The feed of changes: its state, its pages, the requests that wait for it, and the positions that callers get or name by a time. */
  feed: { watch: FeedWatch; changes: FeedReader; waits: Slots; positions: GivenPositions; byTime: PositionsByTime };
  /** Undefined while Redis is away. */
  publishing: () => Promise<Publishing | undefined>;
  /** Requests of an account to `/mcp` in the month of a time (ms); null while Redis is away. */
  mcpRequests: (account: string, at: number) => Promise<number | null>;
  settle: Settle;
  recordError: ErrorLog["record"];
  page: Pager;
  /** For searches that may take longer than others. */
  statistics: { search: Search; openPointInTime: OpenPointInTime };
  exports: Exports;
  /** Undefined when nothing is cached. */
  caches: ListCaches | undefined;
  /** The address of the service, perhaps with a path; undefined: that of each request. */
  publicUrl: string | undefined;
  /** The path of that address, with which links begin; empty without one. */
  publicPath: string;
  /** Where applications are connected by OAuth; undefined where it is off. */
  oauth: OAuthAddresses | undefined;
  /** The folder of the built docs, and the address of the dashboard that they link to. */
  docs: { folder: string; dashboardUrl: string | undefined };
  /** The clock for signals and dates, in milliseconds. */
  now: () => number;
  timing: Timing;
  /** Throws when a required engine is away. */
  ready: () => Promise<void>;
  /** Logs and counts each answer. */
  observe: Observe;
  log: Logger;
};
