import { unavailable } from "../errors/api-error.ts";
import { engineError } from "../errors/engine-error.ts";

/** Look-ups of keys wait this long for others, so Elasticsearch gets at most five requests in a second. */
const EVERY_MS = 200;
const MAX_AT_ONCE = 1000;
const MAX_WAITING = 10_000;

/** Whether a key with this hash was ever made. Throws an error reply such as `unavailable`. */
export type KeyLookUp = (hash: string) => Promise<boolean>;

/**
 * Looks up many keys in one request of `read`, which returns those of the hashes that there are. Nobody's key keeps another one out: each
 * hash gets its look-up, in the order in which they came.
 */
export function createKeyLookUps(read: (hashes: readonly string[]) => Promise<ReadonlySet<string>>): KeyLookUp {
  const waiting = new Map<string, PromiseWithResolvers<boolean>>();
  let timer: NodeJS.Timeout | undefined;

  const lookUp = async () => {
    const taken = [...waiting].slice(0, MAX_AT_ONCE);
    for (const [hash] of taken) waiting.delete(hash);
    timer = waiting.size > 0 ? setTimeout(() => void lookUp(), EVERY_MS) : undefined;
    try {
      const found = await read(taken.map(([hash]) => hash));
      for (const [hash, { resolve }] of taken) resolve(found.has(hash));
    } catch (error) {
      const reply = engineError(error);
      for (const [, { reject }] of taken) reject(reply);
    }
  };

  return (hash) => {
    const there = waiting.get(hash);
    if (there) return there.promise;
    if (waiting.size >= MAX_WAITING) throw unavailable(new Error("too many keys wait to be looked up"));
    const asked = Promise.withResolvers<boolean>();
    waiting.set(hash, asked);
    timer ??= setTimeout(() => void lookUp(), EVERY_MS);
    return asked.promise;
  };
}
