import type { ReadModel } from "../../engines/search/index-names.ts";
import type { RedisClient } from "../../engines/redis/connect.ts";

/** Where generations come from: a number greater than all before it. The ticket clock is one. */
export type GenerationClock = { take: () => Promise<number> };

/** The Redis key of a read model's generation: a number that changes whenever readers can see more, and never returns. */
export const generationKey = (namespace: string, model: ReadModel) => `{${namespace}}:generation:${model}`;

/** The key of the step that led to a generation: the generation before it, and what changed. Not there when that is not known. */
export const stepKey = (namespace: string, model: ReadModel, generation: string) =>
  `${generationKey(namespace, model)}:${generation}`;

/** The key of the last generation that came without a list of what changed. */
export const unlistedKey = (namespace: string, model: ReadModel) => `{${namespace}}:unlisted:${model}`;

/** The key of the hash of documents that are being written, with the highest ticket of their writers. */
export const writingKey = (namespace: string, model: ReadModel) => `{${namespace}}:writing:${model}`;

/**
 * The key of the number of writes that have begun. A write that begins after this is read cannot have been visible at that moment.
 */
export const begunKey = (namespace: string, model: ReadModel) => `{${namespace}}:begun:${model}`;

/** Announces that readers can see more, and that anything may have changed. Call it after the refresh or the swap. */
export async function announceEverything(
  parts: { redis: RedisClient; namespace: string; tickets: GenerationClock },
  models: readonly ReadModel[],
): Promise<void> {
  const { redis, namespace } = parts;
  const generation = String(await parts.tickets.take());
  const keys = models.flatMap((model) => [generationKey(namespace, model), unlistedKey(namespace, model)]);
  await redis.mset(Object.fromEntries(keys.map((key) => [key, generation])));
}
