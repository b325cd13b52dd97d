import { readFileSync } from "node:fs";
import type { Client } from "@elastic/elasticsearch";
import type { Redis } from "ioredis";
import { type OnRetry, retryForever } from "../search/retry-forever.ts";

/** How far ahead of use the ceiling is raised, in µs. */
const HEADROOM = 60_000_000;
/** The document of the ceiling in the control index. */
export const CEILING_ID = "ticket-ceiling";
const SCRIPT = readFileSync(new URL("./take-tickets.lua", import.meta.url), "utf8");
const MISSING = -1;

declare const taken: unique symbol;

/**
 * The number of one derivation, in µs since 1970. Only `take` makes one. Reading source records or targets and publishing require it,
 * so no derivation can read before it has its ticket.
 */
export type Ticket = number & { readonly [taken]: true };

export type TicketClock = {
  /** A ticket greater than any number given before. Waits while an engine is away. */
  take: () => Promise<Ticket>;
  /** Versions for records: the first of `count` consecutive numbers, all greater than any given before. Waits likewise. */
  takeVersions: (count: number) => Promise<number>;
};

type TicketRedis = Redis & { takeTickets(key: string, ceiling: string, count: number): Promise<[number, number]> };

/**
 * The one clock that orders everything: tickets of derivations and versions of records, in µs since 1970.
 * It lives in Redis. A ceiling in Elasticsearch is raised ahead of use and never passed, so after a loss of data, or a clock that went
 * back, Redis continues above every number given before. `onLost` is called then, with the ceiling of that time, because queued jobs are
 * lost with the clock. Any process that takes tickets may notice first, so all must report it (see `lossReporter`).
 */
export function createTicketClock(parts: {
  redis: Redis;
  client: Client;
  controlIndex: string;
  redisKey: string;
  onLost: (ceiling: number) => Promise<void>;
  onRetry?: OnRetry;
}): TicketClock {
  const { client, controlIndex: index, redisKey, onRetry } = parts;
  parts.redis.defineCommand("takeTickets", { numberOfKeys: 1, lua: SCRIPT });
  const redis = parts.redis as TicketRedis;
  let ceiling = 0;
  let seeding: Promise<void> | undefined;

  const takeNumbers = async (count: number): Promise<number> => {
    for (;;) {
      const [first, last] = await redis.takeTickets(redisKey, String(ceiling), count);
      if (first > 0) return first;
      if (first === MISSING) await (seeding ??= seed().finally(() => (seeding = undefined)));
      else ceiling = await raise(last + HEADROOM);
    }
  };

  const seed = async () => {
    const stored = await readCeiling();
    // Reported before the clock runs again: a crash in between repeats the report and never omits it.
    if (stored) await parts.onLost(stored.value);
    await redis.set(redisKey, String(stored?.value ?? 0), "NX");
  };

  const readCeiling = async () => {
    const found = await retryForever(
      () => client.get<{ value: number }>({ index, id: CEILING_ID }, { ignore: [404] }),
      onRetry,
    );
    if (!found.found || !found._source) return undefined;
    return { value: found._source.value, if_seq_no: found._seq_no!, if_primary_term: found._primary_term! };
  };

  /** Raises the stored ceiling to at least `wanted` and returns what it is then. */
  const raise = async (wanted: number): Promise<number> => {
    for (;;) {
      const stored = await readCeiling();
      if (stored && stored.value >= wanted) return stored.value;
      const guard = stored
        ? { if_seq_no: stored.if_seq_no, if_primary_term: stored.if_primary_term }
        : { op_type: "create" as const };
      const done = await retryForever(
        () =>
          client.index({ index, id: CEILING_ID, document: { value: wanted }, ...guard }, { ignore: [409], meta: true }),
        onRetry,
      );
      if (done.statusCode !== 409) return wanted;
    }
  };

  return {
    // The one place where a number becomes a ticket.
    take: async () => (await takeNumbers(1)) as Ticket,
    takeVersions: takeNumbers,
  };
}

/** The Redis key of the clock. */
export const ticketKey = (namespace: string) => `{${namespace}}:ticket-clock`;
