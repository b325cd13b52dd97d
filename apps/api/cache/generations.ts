import { generationKey } from "@tranche/shared/queue/generation";
import type { ReadModel } from "@tranche/shared/search/indices";
import type { Redis } from "ioredis";
import type { Admission } from "../admission/admission.ts";

/**
 * The generation of a read model: it is another one whenever other documents can be seen. Undefined while Redis is away: nothing
 * may be remembered then. It is asked for with every request, in the same write to Redis as the request's admission; requests that
 * come at about the same time share the asking, which begins after the last of them has come.
 */
export type Generations = (model: ReadModel) => Promise<string | undefined>;

export function createGenerations(
  redis: Redis,
  namespace: string,
  { outage, inTime, atTurnsEnd }: Pick<Admission, "outage" | "inTime" | "atTurnsEnd">,
): Generations {
  /** What will be asked. */
  const asked = new Map<ReadModel, Promise<string | undefined>>();

  const ask = async (model: ReadModel): Promise<string | undefined> => {
    try {
      const generation = await atTurnsEnd(() => {
        asked.delete(model);
        return inTime(redis.get(generationKey(namespace, model)));
      });
      // None before the first write, and none after Redis lost its data: the two can't be told apart, so nothing is remembered.
      return generation ?? undefined;
    } catch {
      return undefined;
    }
  };
  return (model) => {
    if (outage.lasts() !== undefined) return noGenerations(model);
    let answer = asked.get(model);
    if (!answer) asked.set(model, (answer = ask(model)));
    return answer;
  };
}

/** For a service that remembers nothing. */
export const noGenerations: Generations = async () => undefined;
