import { readFileSync } from "node:fs";
import type { Ticket } from "../ticket/ticket-clock.ts";
import type { RedisClient } from "../redis/connect.ts";

const SCRIPT = readFileSync(new URL("./forget-noted.lua", import.meta.url), "utf8");
/** Ids in one command. */
const AT_ONCE = 2000;

/** A document that waits for its derivation, and the ticket of its last note. */
export type NotedDocument = { id: string; note: string };

/**
 * Documents of one read model that have to be derived later, by id: an outbox between two stages. One that is noted often is derived once. It stays noted until a
 * derivation that began after its last note has ended, so no change and no death of a worker loses one.
 */
export type NotedDocuments = {
  /** Call it after the change is visible to searches, and before the job that made it is acknowledged. A ticket notes once. */
  add: (ticket: Ticket, ids: Iterable<string>) => Promise<void>;
  /** Every id that is noted when the scan begins, and some of the later ones. One may come twice. */
  pages: () => AsyncGenerator<NotedDocument[]>;
  /** Forgets those that were derived after they were read here, unless they were noted again. */
  forget: (noted: readonly NotedDocument[]) => Promise<void>;
  /** Those of these ids that are noted. */
  among: (ids: readonly string[]) => Promise<Set<string>>;
  count: () => Promise<number>;
};

/** The Redis key of the hash of noted investors. */
const notedInvestorsKey = (namespace: string) => `{${namespace}}:noted-investors`;

/** The investors whose documents have to be derived because their rounds or records changed. */
export const createNotedInvestors = (redis: RedisClient, namespace: string): NotedDocuments =>
  createNoted(redis, notedInvestorsKey(namespace));

/** Rounds and companies that a change affects in such number that live traffic would wait for them. */
export type NotedFanout = { rounds: NotedDocuments; companies: NotedDocuments };

export function createNotedFanout(redis: RedisClient, namespace: string): NotedFanout {
  const noted = (kind: string) => createNoted(redis, `{${namespace}}:noted-${kind}`);
  return { rounds: noted("rounds"), companies: noted("companies") };
}

function createNoted(connection: RedisClient, key: string): NotedDocuments {
  connection.defineCommand("forgetNoted", { numberOfKeys: 1, lua: SCRIPT });
  const redis = connection as RedisClient & { forgetNoted(key: string, ...idsAndNotes: string[]): Promise<number> };
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
          note: found[2 * i + 1]!,
        }));
        if (page.length > 0) yield page;
      } while (cursor !== "0");
    },
    async forget(noted) {
      for (let at = 0; at < noted.length; at += AT_ONCE) {
        await redis.forgetNoted(key, ...noted.slice(at, at + AT_ONCE).flatMap(({ id, note }) => [id, note]));
      }
    },
    async among(ids) {
      if (ids.length === 0) return new Set();
      const notes = await redis.hmget(key, ...ids);
      return new Set(ids.filter((_, i) => notes[i] !== null));
    },
    count: () => redis.hlen(key),
  };
}
