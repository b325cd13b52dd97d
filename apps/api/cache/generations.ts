import type { Step } from "@tranche/shared/protocol/generations/changes";
import { begunKey, generationKey, stepKey } from "@tranche/shared/protocol/generations/generation";
import { READ_MODELS, type ReadModel } from "@tranche/shared/engines/search/index-names";
import type { RedisGateway } from "../redis/gateway.ts";
import type { Generation } from "../serve/generation.ts";
import { ChangeLog } from "./change-log.ts";

/**
 * Reads the generation of a read model, which changes whenever its visible documents change. Undefined while Redis is away: nothing
 * may be cached then. It is read for every request, in the same write to Redis as the request's admission. Concurrent requests share
 * one read, which is sent after the last of them arrived.
 */
export type Generations = (model: ReadModel) => Promise<Generation | undefined>;

/** When more generations than this were missed, their changes are not read. */
const MAX_MISSED = 50;

export function createGenerations(
  { redis, nodeStateOf, coalesce }: RedisGateway,
  namespace: string,
  logs: ReadonlyMap<ReadModel, ChangeLog>,
): Generations {
  const stateOfModel = (model: ReadModel) => nodeStateOf(generationKey(namespace, model));
  /** Reads that are not sent yet. */
  const pending = new Map<ReadModel, Promise<Generation | undefined>>();
  const followers = new Map(
    READ_MODELS.map((model) => [
      model,
      createFollower(
        (id) => stateOfModel(model).withTimeout(redis.get(stepKey(namespace, model, id))),
        logs.get(model),
      ),
    ]),
  );

  const read = async (model: ReadModel): Promise<Generation | undefined> => {
    try {
      let at = 0;
      const [id, begun] = await coalesce(() => {
        pending.delete(model);
        at = performance.now();
        return stateOfModel(model).withTimeout(redis.mget(generationKey(namespace, model), begunKey(namespace, model)));
      });
      // There is none before the first write and none after Redis lost its data. The two look the same, so nothing is cached.
      return id ? await followers.get(model)!(id, { at, begun: Number(begun) }) : undefined;
    } catch {
      return undefined;
    }
  };
  return (model) => {
    if (stateOfModel(model).outage.lasts() !== undefined) return Promise.resolve(undefined);
    let reading = pending.get(model);
    if (!reading) pending.set(model, (reading = read(model)));
    return reading;
  };
}

/**
 * Reads a generation that changes whenever one of several read models does. Nothing that is cached in it outlives it, because what
 * changed is not known.
 */
export function jointGenerations(generations: Generations, models: readonly ReadModel[]): Generations {
  const log = new ChangeLog();
  return async () => {
    const all = await Promise.all(models.map(generations));
    if (all.includes(undefined)) return undefined;
    const id = all.map((generation) => generation!.id).join(" ");
    return log.last?.id === id ? log.last : log.add(id, undefined);
  };
}

/**
 * Follows a read model from generation to generation. `stepTo` returns the step that led to a generation: the id of the one before it,
 * a line end, and a `Step` as JSON; null when it is not known. `read`: the number of writes that had begun when the generation was read,
 * no earlier than `at` by performance.now().
 */
export function createFollower(
  stepTo: (id: string) => Promise<string | null>,
  log = new ChangeLog(),
): (id: string, read?: { at: number; begun: number }) => Promise<Generation> {
  let following: Promise<unknown> = Promise.resolve();

  const follow = async (id: string): Promise<Generation> => {
    const missed: { id: string; step: Step | undefined }[] = [];
    for (let at = id; at !== log.last?.id;) {
      const step = missed.length < MAX_MISSED ? await stepTo(at) : null;
      const end = step?.indexOf("\n") ?? -1;
      missed.push({ id: at, step: step ? (JSON.parse(step.slice(end + 1)) as Step) : undefined });
      if (!step) break;
      at = step.slice(0, end);
    }
    for (const { id: next, step } of missed.toReversed()) log.add(next, step);
    return log.last!;
  };
  return (id, read) => {
    if (read) log.noteBegun(read.begun, read.at);
    if (id === log.last?.id) return Promise.resolve(log.last);
    // One after another, because each continues from the generation that the one before it reached.
    const followed = following.then(() => follow(id));
    following = followed.catch(() => {});
    return followed;
  };
}
