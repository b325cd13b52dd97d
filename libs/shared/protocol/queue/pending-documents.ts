import { readFileSync } from "node:fs";
import type { Ticket } from "../ticket/ticket-clock.ts";
import type { RedisClient } from "../../engines/redis/connect.ts";
import { chunks } from "../../engines/search/chunks.ts";

const SCRIPT = readFileSync(new URL("./forget-pending.lua", import.meta.url), "utf8");
/** Ids in one command. */
const AT_ONCE = 2000;

/** A document that waits for its derivation, and the ticket with which it was added last. */
type PendingDocument = { id: string; addedWith: string };

/**
 * Documents of one read model that have to be derived later, by id: an outbox between two stages. One that is added often is derived
 * once. It stays pending until a derivation that began after it was added last has ended, so no change and no death of a worker loses one.
 */
export type PendingDocuments = {
  /** Call it after the change is visible to searches, and before the job that made it is acknowledged. A ticket adds once. */
  add: (ticket: Ticket, ids: Iterable<string>) => Promise<void>;
  /** Every id that is pending when the scan begins, and some of the later ones. One may come twice. */
  pages: () => AsyncGenerator<PendingDocument[]>;
  /** Forgets those that were derived after they were read here, unless they were added again. */
  forget: (derived: readonly PendingDocument[]) => Promise<void>;
  /** Those of these ids that are pending. */
  among: (ids: readonly string[]) => Promise<Set<string>>;
  count: () => Promise<number>;
};

/** The Redis key of the hash of pending investors. Here and below, `noted` is an older word for pending: keys are part of the format. */
const pendingInvestorsKey = (namespace: string) => `{${namespace}}:noted-investors`;

/** The investors whose documents have to be derived because their rounds or records changed. */
export const createPendingInvestors = (redis: RedisClient, namespace: string): PendingDocuments =>
  createPending(redis, pendingInvestorsKey(namespace));

/** Rounds and companies that a change affects in such number that live traffic would wait for them. */
export type PendingFanout = { rounds: PendingDocuments; companies: PendingDocuments };

export function createPendingFanout(redis: RedisClient, namespace: string): PendingFanout {
  const pending = (kind: string) => createPending(redis, `{${namespace}}:noted-${kind}`);
  return { rounds: pending("rounds"), companies: pending("companies") };
}

function createPending(connection: RedisClient, key: string): PendingDocuments {
  connection.defineCommand("forgetPending", { numberOfKeys: 1, lua: SCRIPT });
  const redis = connection as RedisClient & { forgetPending(key: string, ...idsAndTickets: string[]): Promise<number> };
  return {
    async add(ticket, ids) {
      let fields: Record<string, number> = {};
      let size = 0;
      for (const id of ids) {
        fields[id] = ticket;
        if (++size % AT_ONCE !== 0) continue;
        await redis.hset(key, fields);
        fields = {};
      }
      if (size % AT_ONCE !== 0) await redis.hset(key, fields);
    },
    async *pages() {
      let cursor = "0";
      do {
        const [next, found] = await redis.hscan(key, cursor, "COUNT", AT_ONCE);
        cursor = next;
        const page = Array.from({ length: found.length / 2 }, (_, i) => ({
          id: found[2 * i]!,
          addedWith: found[2 * i + 1]!,
        }));
        if (page.length > 0) yield page;
      } while (cursor !== "0");
    },
    async forget(derived) {
      for (const some of chunks(derived, AT_ONCE)) {
        await redis.forgetPending(key, ...some.flatMap(({ id, addedWith }) => [id, addedWith]));
      }
    },
    async among(ids) {
      if (ids.length === 0) return new Set();
      const tickets = await redis.hmget(key, ...ids);
      return new Set(ids.filter((_, i) => tickets[i] !== null));
    },
    count: () => redis.hlen(key),
  };
}
