import type { RedisClient } from "../engines/redis/connect.ts";

/** How many requests there were, and how many of them were refused (4xx), failed (5xx) and took longer than a second. */
export type Counts = [requests: number, refused: number, failed: number, slow: number];

/** The requests of one sender in one minute. */
export type SenderSums = {
  /** Requests by status. */
  statuses: Record<string, number>;
  /** Those that took longer than a second. */
  slow: number;
  /** The time of all of them together. */
  ms: number;
};

/** The same requests, by what they came with. */
export type SenderParts = {
  /** By id. A session of the dashboard, a connected application and a feed link count as keys. */
  keys: Record<string, Counts>;
  /** IP addresses; without a key the network that usually belongs to one caller. */
  addresses: Record<string, Counts>;
  /** Patterns of paths. */
  routes: Record<string, Counts>;
};

/** What one API process has answered in one minute, by the account's handle. It holds no key and no query. */
export type MinuteSums = Record<string, SenderSums & SenderParts>;

/** The sender of all requests without a key that works. No handle is like it. */
export const WITHOUT_KEY = "-";
/** The rest: accounts beyond those that a process notes in a minute, or keys, addresses and routes beyond those of an account. */
export const OTHERS = "*";

/** How many minutes are kept, the current one among them. */
export const KEPT_MINUTES = 60;
const MINUTE_SECONDS = 60;

/** The minute of a time in ms: minutes since 1970. */
export const minuteOf = (at: number): number => Math.floor(at / (MINUTE_SECONDS * 1000));

/**
 * What the processes have noted of a minute: the sums of all senders, and the parts of one. `place`: 0 for the oldest of those that
 * are kept.
 */
export type NotedMinute = {
  place: number;
  sums: readonly Record<string, SenderSums>[];
  parts: readonly SenderParts[];
};

export type RequestSums = {
  /** Replaces what a process has noted of a minute, so it may be written any number of times. */
  write(process: string, minute: number, sums: MinuteSums): Promise<void>;
  /**
   * The minutes up to that of `now` (ms), the oldest first, with the parts of `sender`. One after the other: with many accounts, all
   * of them together would take much memory, and keep a process from everything else.
   */
  read(now: number, sender: string): AsyncIterable<NotedMinute>;
};

/**
 * The Redis keys of a minute, on one node of a Cluster. They are none of the installation's own (`{namespace}:…`), which indexers may read:
 * they have no use for addresses.
 */
export const requestSumsKey = (namespace: string, minute: number): string => `${namespace}:requests:{${minute}}`;
export const requestPartsKey = (namespace: string, minute: number): string =>
  `${requestSumsKey(namespace, minute)}:parts`;

/** A field of the parts of a minute. */
const partsField = (process: string, sender: string): string => `${process} ${sender}`;

/**
 * Kept in Redis, two hashes per minute: the sums with one field per API process, and the parts with one per process and sender. Of all
 * accounts together the parts are ten times as long as the sums, and nobody looks at more than one sender's. A minute is gone an hour
 * after it began.
 */
export function createRequestSums(redis: RedisClient, namespace: string): RequestSums {
  return {
    async write(process, minute, sums) {
      const [ofSums, ofParts] = [requestSumsKey(namespace, minute), requestPartsKey(namespace, minute)];
      const senders = Object.entries(sums);
      const short = senders.map(([name, { statuses, slow, ms }]) => [name, { statuses, slow, ms }] as const);
      const parts = senders.flatMap(([name, { keys, addresses, routes }]) => [
        partsField(process, name),
        JSON.stringify({ keys, addresses, routes } satisfies SenderParts),
      ]);
      const end = (minute + KEPT_MINUTES) * MINUTE_SECONDS;
      // In one step: a key without an end would keep addresses for ever.
      const replies = await redis
        .multi()
        .hset(ofSums, process, JSON.stringify(Object.fromEntries(short)))
        .expireat(ofSums, end)
        .hset(ofParts, ...parts)
        .expireat(ofParts, end)
        .exec();
      for (const [error] of replies ?? []) if (error) throw error;
    },
    async *read(now, sender) {
      const first = minuteOf(now) - KEPT_MINUTES + 1;
      for (let place = 0; place < KEPT_MINUTES; place++) {
        const noted = await redis.hgetall(requestSumsKey(namespace, first + place));
        const fields = Object.keys(noted).map((process) => partsField(process, sender));
        const texts = fields.length > 0 ? await redis.hmget(requestPartsKey(namespace, first + place), ...fields) : [];
        yield {
          place,
          sums: Object.values(noted).map((text) => JSON.parse(text) as Record<string, SenderSums>),
          parts: texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as SenderParts])),
        };
      }
    },
  };
}
