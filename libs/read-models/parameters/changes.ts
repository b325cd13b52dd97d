import { listDigest } from "../query/sealed.ts";
import { wholeNumber } from "./kinds/numbers.ts";
import { since, type Since, sinceText, START } from "./kinds/since.ts";
import { type FiltersAnd, parameter, type ParameterTable, type Values } from "./parameter.ts";
import type { Problem } from "./problem.ts";
import { shortened } from "./query-string.ts";
import { filtersApplied } from "./read.ts";

/** Parameters of a list that choose or shape a page of it. */
const OF_A_PAGE: ReadonlySet<string> = new Set(["limit", "offset", "cursor", "sort", "format", "text"]);

export const DEFAULT_CHANGES = 100;
/** On plans with exports; others have the cap of their pages. */
export const MAX_CHANGES = 1000;
export const MAX_WAIT_SECONDS = 30;

/** The parameters of the feed beside the filters of its list. */
const CHANGES = Object.freeze({
  since: parameter({
    kind: since(),
    description:
      "Where to continue: `next` of the page before, with the same filters. A time of the last 30 days (RFC 3339) sends everything that changed from then on, and possibly some from shortly before. `start` begins with the whole list, on plans with exports; other plans take only positions that they were given, and times after the oldest change. Without it the feed begins now.",
    example: START,
    unfiltered: true,
  }),
  wait: parameter({
    kind: wholeNumber(0, MAX_WAIT_SECONDS),
    description:
      "Seconds to wait for something to come when there is nothing yet. Ten requests of an account may wait at once.",
    example: "1",
    fallback: "0",
    unfiltered: true,
  }),
  limit: parameter({
    kind: wholeNumber(1, MAX_CHANGES),
    description:
      "Changes in a page, at most. On plans without exports a page has no more changes than a page of the list has rows.",
    example: "500",
    fallback: String(DEFAULT_CHANGES),
    unfiltered: true,
  }),
});

/** The parameters of the feed of a list's changes. */
export type ChangesTable = FiltersAnd<typeof CHANGES>;

/** The parameters of the feed of a list's changes: its filters, and where to continue. */
export function changesParameters(list: ParameterTable): ChangesTable {
  const filters = Object.entries(list).filter(([name]) => !OF_A_PAGE.has(name));
  return Object.freeze({ ...Object.fromEntries(filters), ...CHANGES });
}

/** The digest with which positions of the feed with these filters begin. `path`: of the feed. */
export const changesDigest = (path: string, table: ParameterTable, values: Values): string =>
  listDigest(path, filtersApplied(table, values, "changes"));

/** The problem of a position that was read and does not belong to the feed, or of a time to come. `digest`: of the feed. `now`: real time in ms. */
export function sinceProblems(sent: Since | undefined, digest: string, now: number): Problem[] {
  if (sent === undefined || sent === START) return [];
  if ("time" in sent) return sent.time > now ? [inTheFuture(sent, now)] : [];
  if (sent.digest === digest) return [];
  const message =
    "since belongs to another list or other filters. Send it with those of the page that gave it, or send `start` to begin with everything.";
  return [{ parameter: "since", code: "other_list", message, value: shortened(sinceText(sent)) }];
}

const inTheFuture = (sent: Since, now: number): Problem => ({
  parameter: "since",
  code: "out_of_range",
  message: `since is in the future: it is ${new Date(now).toISOString()} here. Send a time of the last 30 days, a position, or \`start\`.`,
  value: sinceText(sent),
});
