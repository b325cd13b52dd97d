import type { Client } from "@elastic/elasticsearch";
import type { Guard } from "../../engines/search/held-document.ts";
import type { IndexNames } from "../../engines/search/index-names.ts";
import { retryForever } from "../../engines/search/retry-forever.ts";
import type { FeedModel } from "./keys.ts";

/** An index of each read model that has a feed. */
export type FeedIndices = Record<FeedModel, string>;

/** The state with which the feed survives an emptied Redis. Tickets are in µs. */
export type FeedControl = {
  kind: "feed";
  /** A ticket, higher with every change: Redis keeps the latest. */
  version: number;
  /** Positions of another epoch are void. */
  epoch: string;
  /** The indices that readers search. */
  served: FeedIndices;
  /** The latest indices that a rebuild has filled, and a ticket from before its copy. */
  copied: { indices: FeedIndices; since: number } | null;
  /**
   * Readers searched `other` before: documents that either index changed since the ticket `since` are published again, as they are.
   * `until`: a ticket from after readers search the new ones; documents with a later one are published.
   */
  due: { other: FeedIndices; since: number; until: number | null } | null;
  /** Removals up to these tickets are purged. */
  purged: Record<FeedModel, number>;
};

/** The state as it was read, with what guards its next change. */
export type ReadFeedControl = { control: FeedControl; guard: Guard };

const ID = "feed";

/** Keeps the state of the feed in the control index. */
export function createFeedControlStore(client: Client, names: Pick<IndexNames, "control">) {
  const index = names.control;
  return {
    /** Undefined before the first change. */
    async read(): Promise<ReadFeedControl | undefined> {
      const found = await retryForever(() => client.get<FeedControl>({ index, id: ID }, { ignore: [404] }));
      if (!found.found || !found._source) return undefined;
      return { control: found._source, guard: { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! } };
    },
    /** Returns whether nobody else has changed it since it was read. `last` undefined: it must not be there. */
    async save(last: ReadFeedControl | undefined, control: FeedControl): Promise<boolean> {
      const guard = last?.guard ?? { op_type: "create" as const };
      const done = await retryForever(() =>
        client.index({ index, id: ID, document: control, ...guard }, { ignore: [409], meta: true }),
      );
      return done.statusCode !== 409;
    },
  };
}
