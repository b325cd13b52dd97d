import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import type { RedisGateway } from "./gateway.ts";
import { orNone } from "./unless-away.ts";

/** Leases in sets of Redis: of the API processes, or of the slots of an account. One that is not renewed ends by itself. */
type Leases = {
  /**
   * Takes or renews a lease for `ms`, and returns how many its set has then: 0 when there were already `most`, undefined while Redis is
   * away.
   */
  take(key: string, id: string, ms: number, most?: number): Promise<number | undefined>;
  /**
   * Ends a lease that was taken for `ms`. While Redis is away it tries again in the background, until the lease has ended by itself. Never
   * rejects.
   */
  end(key: string, id: string, ms: number): Promise<void>;
};

/** An outage asks as often whether Redis is back. */
const AGAIN_AFTER_MS = 100;

const LEASE = readFileSync(new URL("./lease.lua", import.meta.url), "utf8");

type LeasesRedis = RedisClient & { lease(key: string, id: string, ms: number, most: number | ""): Promise<number> };

export function createLeases({ redis: connection, nodeStateOf }: Pick<RedisGateway, "redis" | "nodeStateOf">): Leases {
  connection.defineCommand("lease", { numberOfKeys: 1, lua: LEASE });
  const redis = connection as LeasesRedis;
  /** Those that are to end when Redis is back, by id. */
  const left = new Map<string, { key: string; until: number }>();

  /** False while Redis is away. A lease that Redis refuses to end ends by itself. */
  const isEnded = async (key: string, id: string): Promise<boolean> => {
    const { outage, withTimeout } = nodeStateOf(key);
    const removed = await orNone(outage, () => withTimeout(redis.zrem(key, id))).catch(() => 0);
    return removed !== undefined;
  };
  let isEnding = false;
  const endLeft = async () => {
    if (isEnding) return;
    isEnding = true;
    while (left.size > 0) {
      await pause(AGAIN_AFTER_MS, undefined, { ref: false });
      for (const [id, { key, until }] of left) {
        if (performance.now() > until || (await isEnded(key, id))) left.delete(id);
      }
    }
    isEnding = false;
  };

  return {
    async take(key, id, ms, most) {
      const { outage, withTimeout } = nodeStateOf(key);
      return orNone(outage, () => withTimeout(redis.lease(key, id, ms, most ?? "")));
    },
    async end(key, id, ms) {
      if (await isEnded(key, id)) return;
      left.set(id, { key, until: performance.now() + ms });
      void endLeft();
    },
  };
}
