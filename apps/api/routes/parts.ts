import type { DealTypes } from "@tranche/shared/vocabulary/deal-types";
import type { Logger } from "@tranche/shared/log/logger";
import type { IndexNames } from "@tranche/shared/search/index-names";
import type { Admit } from "../admission/admit.ts";
import type { Identify } from "../admission/identify.ts";
import type { Settle } from "../admission/settle.ts";
import type { Generations } from "../cache/generations.ts";
import type { Remembered } from "../cache/remembered.ts";
import type { Pager } from "../paging/pager.ts";
import type { Search } from "../search/search.ts";
import type { UnknownItems } from "../search/unknown-items.ts";
import type { Answer } from "./answer.ts";

/** What the routes are made of; the composition root makes these. */
export type Parts = {
  names: IndexNames;
  dealTypes: DealTypes;
  search: Search;
  unknownItems: UnknownItems;
  identify: Identify;
  admit: Admit;
  settle: Settle;
  generation: Generations;
  page: Pager;
  /** Finished answers of the generation that they were made in. */
  pages: Remembered<Answer>;
  /** The clock for signals and dates, in milliseconds. */
  now: () => number;
  /** Throws when an engine that answers need is away. */
  ready: () => Promise<void>;
  log: Logger;
};
