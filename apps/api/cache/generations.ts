import type { Step } from "@tranche/shared/generations/changes";
import { begunKey, generationKey, stepKey } from "@tranche/shared/generations/generation";
import { READ_MODELS, type ReadModel } from "@tranche/shared/search/index-names";
import type { Redis } from "ioredis";
import type { RedisGateway } from "../redis/gateway.ts";
import { ChangeLog, type Generation } from "./change-log.ts";

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
  { outage, inTime, atTurnsEnd }: RedisGateway,
): Generations {
  /** What will be asked. */
  const asked = new Map<ReadModel, Promise<Generation | undefined>>();
  const followers = new Map(
    READ_MODELS.map((model) => [model, createFollower((id) => inTime(redis.get(stepKey(namespace, model, id))))]),
  );

  const ask = async (model: ReadModel): Promise<Generation | undefined> => {
    try {
      let at = 0;
      const [id, begun] = await atTurnsEnd(() => {
        asked.delete(model);
        at = performance.now();
        return inTime(redis.mget(generationKey(namespace, model), begunKey(namespace, model)));
      });
      // None before the first write, and none after Redis lost its data: the two can't be told apart, so nothing is remembered.
      return id ? await followers.get(model)!(id, { at, begun: Number(begun) }) : undefined;
    } catch {
      return undefined;
    }
  };
  return (model) => {
    if (outage.lasts() !== undefined) return Promise.resolve(undefined);
    let answer = asked.get(model);
    if (!answer) asked.set(model, (answer = ask(model)));
    return answer;
  };
}

/**
 * Follows a read model from the last generation it has seen to another one. `stepTo` gives the step that led to a generation: the one
 * before it, a line end, and a `Step` as JSON; null where nobody knows. `begun` writings had begun when the generation was asked for,
 * no earlier than `at` by performance.now().
 */
export function createFollower(
  stepTo: (id: string) => Promise<string | null>,
): (id: string, asked?: { at: number; begun: number }) => Promise<Generation> {
  const history = new ChangeLog();
  let following: Promise<unknown> = Promise.resolve();

  const follow = async (id: string): Promise<Generation> => {
    const missed: { id: string; step: Step | undefined }[] = [];
    for (let at = id; at !== history.last?.id;) {
      const step = missed.length < MAX_MISSED ? await stepTo(at) : null;
      const end = step?.indexOf("\n") ?? -1;
      missed.push({ id: at, step: step ? (JSON.parse(step.slice(end + 1)) as Step) : undefined });
      if (!step) break;
      at = step.slice(0, end);
    }
    for (const { id: next, step } of missed.toReversed()) history.add(next, step);
    return history.last!;
  };
  return (id, asked) => {
    if (asked) history.noteBegun(asked.begun, asked.at);
    if (id === history.last?.id) return Promise.resolve(history.last);
    // One after another: each goes on from where the one before it came to.
    const followed = following.then(() => follow(id));
    following = followed.catch(() => {});
    return followed;
  };
}
