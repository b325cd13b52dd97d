import type { Client } from "@elastic/elasticsearch";
import type { LostNumbers } from "./lost-numbers.ts";
import type { Guard } from "../../engines/search/held-document.ts";
import { type OnRetry, retryForever } from "../../engines/search/retry-forever.ts";

/**
 * The history of Redis as far as it was examined: which process with which data served (`identity`), and a number of the ticket clock
 * that is known to be given. A Redis with another identity, or a lower clock, may have lost what it had acknowledged. `writers`: processes
 * whose last writes nobody knows, because they have not ended in order. `lost`: the numbers that former Redis had given and this one does not know, the newest last.
 */
export type RedisHistory = {
  identity: string;
  clock: number;
  writers: readonly Writer[];
  lost?: readonly LostNumbers[];
};

/** `missed`: when another Redis was first examined without the process having come back since. */
export type Writer = { id: string; missed?: string };

/** A history as it was read, with what guards the next change of it. */
export type ReadHistory = { history: RedisHistory; guard: Guard };

type RedisHistoryStore = {
  read(): Promise<ReadHistory | undefined>;
  /** Returns the history as it was saved; undefined when somebody else changed it since it was read. */
  save(last: ReadHistory | undefined, history: RedisHistory): Promise<ReadHistory | undefined>;
};

const ID = "redis-history";

/** Keeps the history in the control index, so that a Redis that went back cannot take it along. */
export function createRedisHistory(client: Client, index: string, onRetry?: OnRetry): RedisHistoryStore {
  return {
    async read() {
      const found = await retryForever(() => client.get<RedisHistory>({ index, id: ID }, { ignore: [404] }), onRetry);
      if (!found.found || !found._source) return undefined;
      return { history: found._source, guard: { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! } };
    },
    async save(last, history) {
      const guard = last?.guard ?? { op_type: "create" as const };
      const done = await retryForever(
        () => client.index({ index, id: ID, document: history, ...guard }, { ignore: [409], meta: true }),
        onRetry,
      );
      if (done.statusCode === 409) return undefined;
      return { history, guard: { if_seq_no: done.body._seq_no!, if_primary_term: done.body._primary_term! } };
    },
  };
}
