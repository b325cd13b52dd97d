import { endLease, takeLease } from "@tranche/shared/engines/redis/lease";
import type { WebhookParts } from "./parts.ts";

/** Longer than reading changes and an attempt to send them take. */
const LEASE_MS = 30_000;

/**
 * The holder of the lease while a webhook's job delivers. A webhook has one such job at a time, so the indexer that continues after a kill
 * need not wait for the end of the lease.
 */
export const DELIVERIES = "deliveries";

/**
 * Reads documents and sends them to a webhook while nobody else does so, in any indexer: otherwise an older state could arrive after a newer
 * one. Undefined while somebody else holds the lease.
 */
export async function withDeliveryLease<T>(
  { redis, namespace }: Pick<WebhookParts, "redis" | "namespace">,
  webhook: string,
  holder: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  // The key has an older name of the lease.
  const lease = { redis, key: `{${namespace}}:webhook-turn:${webhook}`, holder };
  if (!(await takeLease(lease, LEASE_MS))) return undefined;
  try {
    return await work();
  } finally {
    await endLease(lease).catch(() => {});
  }
}
