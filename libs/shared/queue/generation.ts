import type { Redis } from "ioredis";
import type { ReadModel } from "../search/indices.ts";

/** The Redis key of a read model's generation: the ticket of the newest derivation that readers can see. */
export const generationKey = (namespace: string, model: ReadModel) => `{${namespace}}:generation:${model}`;

/** Announces that what was derived with `ticket` can be seen. Call it after the refresh and before the job is acknowledged. */
export async function announceGeneration(
  redis: Redis,
  namespace: string,
  models: readonly ReadModel[],
  ticket: number,
): Promise<void> {
  await Promise.all(models.map((model) => redis.set(generationKey(namespace, model), String(ticket))));
}
