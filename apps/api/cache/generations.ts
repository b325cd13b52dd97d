import { generationKey } from "@tranche/shared/queue/generation";
import type { ReadModel } from "@tranche/shared/search/indices";
import type { Redis } from "ioredis";
import type { Admission } from "../admission/admission.ts";

/**
 * The generation of a read model: it is another one whenever other documents can be seen. Undefined while Redis is away: nothing
 * may be remembered then. It is asked for with every request, in the same write to Redis as the request's admission.
 */
export type Generations = (model: ReadModel) => Promise<string | undefined>;

export function createGenerations(
  redis: Redis,
  namespace: string,
  { outage, inTime }: Pick<Admission, "outage" | "inTime">,
): Generations {
  return async (model) => {
    if (outage.lasts() !== undefined) return undefined;
    try {
      // A model that nothing was written to since the keys were made has none yet: that is a generation, too.
      return (await inTime(redis.get(generationKey(namespace, model)))) ?? "none";
    } catch {
      return undefined;
    }
  };
}

/** For a service that remembers nothing. */
export const noGenerations: Generations = async () => undefined;
