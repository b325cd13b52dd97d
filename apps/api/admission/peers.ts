import { randomUUID } from "node:crypto";
import type { Logger } from "@tranche/shared/process/logger";
import type { RedisGateway } from "../redis/gateway.ts";
import { createLeases } from "../redis/leases.ts";
import { BURST_SECONDS } from "./limit-status.ts";

/** The API processes of an installation, on all machines. */
export type Peers = {
  /** How many there are, this one included. Answers at once, also while Redis is away. */
  count: () => number;
  /** Ends the announcements, and takes this process out of the count. Never rejects. */
  close: () => Promise<void>;
};

const ANNOUNCE_EVERY_MS = 5000;
/** A process that was killed counts for this long. */
const COUNTS_FOR_MS = 30_000;
/** Those of a burst window, and the one before it: it may be the last that counts a process which ended in the window. */
const ANSWERS_KEPT = (BURST_SECONDS * 1000) / ANNOUNCE_EVERY_MS + 1;

/** Redis key of the leases of API processes. It has the namespace as hash tag. */
export const peersKey = (namespace: string): string => `{${namespace}}:api-processes`;

/**
 * Announces this process in Redis, now and every 5 s, and gets the number of API processes each time. Resolves after the first
 * announcement, whether Redis answered or not. `atLeast`: the API processes of this machine, which are known without Redis.
 */
export async function joinPeers(
  gateway: Pick<RedisGateway, "redis" | "nodeStateOf">,
  { namespace, atLeast, log }: { namespace: string; atLeast: number; log: Logger },
): Promise<Peers> {
  const leases = createLeases(gateway);
  const key = peersKey(namespace);
  const id = randomUUID();
  const counts = createRecentCounts(atLeast);

  const announce = async (): Promise<void> => {
    try {
      const count = await leases.take(key, id, COUNTS_FOR_MS);
      if (count !== undefined) counts.add(count);
    } catch (error) {
      log.warn({ err: error }, "this API process could not be announced in Redis; it is tried again");
    }
  };
  await announce();
  const timer = setInterval(() => void announce(), ANNOUNCE_EVERY_MS).unref();

  return {
    count: counts.highest,
    async close() {
      clearInterval(timer);
      await leases.end(key, id, COUNTS_FOR_MS);
    },
  };
}

/**
 * The highest of the last counts, and never less than `atLeast`. The highest, because a process that ended may have used its share of
 * the burst window, and because a Redis that comes back after a long outage hears of one process after the other.
 */
export function createRecentCounts(atLeast: number): { add: (count: number) => void; highest: () => number } {
  const recent: number[] = [];
  return {
    add(count) {
      recent.push(count);
      if (recent.length > ANSWERS_KEPT) recent.shift();
    },
    highest: () => Math.max(atLeast, ...recent),
  };
}
