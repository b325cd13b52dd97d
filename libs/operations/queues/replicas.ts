import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { nodeOf } from "@tranche/shared/engines/redis/nodes";

const WITHIN_MS = 5000;

/** Fewer replicas than asked for have what Redis acknowledged. */
class TooFewReplicas extends Error {
  override name = "TooFewReplicas";
}

/**
 * Waits until this number of replicas has everything that this connection has written, because a failover to a replica forgets what
 * it does not have. In a Cluster, the node of `key` is asked. Throws TooFewReplicas after 5 s. Undefined when no replica is asked for.
 */
export function replicaWait(redis: RedisClient, key: string, replicas: number): (() => Promise<void>) | undefined {
  if (replicas === 0) return undefined;
  return async () => {
    const confirmed = (await nodeOf(redis, key)?.wait(replicas, WITHIN_MS)) ?? 0;
    if (confirmed >= replicas) return;
    throw new TooFewReplicas(
      `Only ${confirmed} of the ${replicas} replicas of Redis that TRANCHE_REDIS_REPLICAS_TO_WAIT asks for have confirmed a write within ${WITHIN_MS / 1000} s. ` +
        "A failover now would lose it. Bring the replicas back, or lower the setting, and ingest the files again.",
    );
  };
}
