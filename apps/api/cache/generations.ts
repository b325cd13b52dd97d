import type { Changes } from "@tranche/shared/generations/changes";
import { generationKey, stepKey } from "@tranche/shared/generations/generation";
import { READ_MODELS, type ReadModel } from "@tranche/shared/search/indices";
import type { Redis } from "ioredis";
import type { Admission } from "../admission/admission.ts";
import { type Generation, History } from "./history.ts";

/**
 * The generation of a read model: it is another one whenever other documents can be seen. Undefined while Redis is away: nothing
 * may be remembered then. It is asked for with every request, in the same write to Redis as the request's admission; requests that
 * come at about the same time share the asking, which begins after the last of them has come.
 */
export type Generations = (model: ReadModel) => Promise<Generation | undefined>;

/** More generations than this that nobody asked in are not looked through. */
const MAX_MISSED = 50;

export function createGenerations(
  redis: Redis,
  namespace: string,
  { outage, inTime, atTurnsEnd }: Pick<Admission, "outage" | "inTime" | "atTurnsEnd">,
): Generations {
  /** What will be asked. */
  const asked = new Map<ReadModel, Promise<Generation | undefined>>();
  const followers = new Map(
    READ_MODELS.map((model) => [model, createFollower((id) => inTime(redis.get(stepKey(namespace, model, id))))]),
  );

  const ask = async (model: ReadModel): Promise<Generation | undefined> => {
    try {
      const id = await atTurnsEnd(() => {
        asked.delete(model);
        return inTime(redis.get(generationKey(namespace, model)));
      });
      // None before the first write, and none after Redis lost its data: the two can't be told apart, so nothing is remembered.
      return id === null ? undefined : await followers.get(model)!(id);
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

/**
 * Follows a read model from the last generation it has seen to another one. `stepTo` gives the step that led to a generation: the one
 * before it, a line end, and what changed as JSON; null where nobody knows.
 */
export function createFollower(stepTo: (id: string) => Promise<string | null>): (id: string) => Promise<Generation> {
  const history = new History();
  let following: Promise<unknown> = Promise.resolve();

  const follow = async (id: string): Promise<Generation> => {
    const missed: { id: string; changes: Changes | undefined }[] = [];
    for (let at = id; at !== history.last?.id;) {
      const step = missed.length < MAX_MISSED ? await stepTo(at) : null;
      const end = step?.indexOf("\n") ?? -1;
      missed.push({ id: at, changes: step ? (JSON.parse(step.slice(end + 1)) as Changes) : undefined });
      if (!step) break;
      at = step.slice(0, end);
    }
    for (const { id: next, changes } of missed.toReversed()) history.add(next, changes);
    return history.last!;
  };
  return (id) => {
    if (id === history.last?.id) return Promise.resolve(history.last);
    // One after another: each goes on from where the one before it came to.
    const followed = following.then(() => follow(id));
    following = followed.catch(() => {});
    return followed;
  };
}
