import type { Redis } from "ioredis";
import type { ReadModel } from "../search/indices.ts";
import type { TicketClock } from "../ticket/ticket-clock.ts";

/** The Redis key of a read model's generation: a number that changes whenever readers can see more, and never returns. */
export const generationKey = (namespace: string, model: ReadModel) => `{${namespace}}:generation:${model}`;

/** Announces that readers can see more. Call it after the refresh (or the swap) and before the job is acknowledged. */
export async function announceGeneration(
  parts: { redis: Redis; namespace: string; tickets: TicketClock },
  models: readonly ReadModel[],
): Promise<void> {
  const ticket = await parts.tickets.take();
  await Promise.all(models.map((model) => parts.redis.set(generationKey(parts.namespace, model), String(ticket))));
}
