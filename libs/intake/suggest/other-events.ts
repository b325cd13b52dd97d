import { anyOf } from "../mapping/condition.ts";
import type { Column } from "./roles.ts";

/** Rows that are not rounds: the column that says so, and its texts. */
export type OtherEvents = { column: string; texts: string[] };

const NAMES = /(?:^|-)(?:type|kind|event|art)(?:-|$)|^(?:deal|transaction|round)$/;
/** Facts of the company, and not of the event of the row. */
const OF_COMPANIES = /exit|company|investor|status|industry/;

/** Whether a text names a kind of event other than a round. */
export const isOtherEvent = anyOf([
  "m ?& ?a",
  "mergers?(?: (?:and|&) acquisitions?)?",
  "acquisitions?",
  "acquired",
  "acqui-?hires?",
  "lay-?offs?",
  "shut ?downs?",
  "bankrupt(?:cy)?",
  "insolven(?:cy|z)",
  "closures?",
  "exits?",
  "hiring",
  "(?:product )?launch(?:es)?",
  "partnerships?",
  "übernahmen?",
]);

/** The rows that are not rounds, in a list of events of several kinds. */
export function otherEventsIn(columns: readonly Column[]): OtherEvents | undefined {
  for (const { name, key, texts } of columns) {
    const others = NAMES.test(key) && !OF_COMPANIES.test(key) ? texts.filter(isOtherEvent) : [];
    if (others.length > 0)
      return { column: name, texts: [...new Map(others.map((text) => [text.toLowerCase(), text])).values()] };
  }
  return undefined;
}
