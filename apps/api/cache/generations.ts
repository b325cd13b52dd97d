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
      // None before the first write, and none after Redis lost its data: the two can't be told apart, so nothing is remembered.
      return (await inTime(redis.get(generationKey(namespace, model)))) ?? undefined;
    } catch {
      return undefined;
    }
  };
}

/** For a service that remembers nothing. */
export const noGenerations: Generations = async () => undefined;
