import { network } from "@tranche/http/server/network";
import { unavailable } from "../errors/api-error.ts";
import { engineError } from "../errors/engine-error.ts";
import { createFairQueue } from "./fair-queue.ts";

/** Look-ups of keys wait this long for others, so Elasticsearch gets at most five requests in a second. */
const EVERY_MS = 200;
const MAX_AT_ONCE = 1000;
const MAX_WAITING = 10_000;

/** Whether a key with this hash was ever made. `address`: that of its sender. Throws an error reply such as `unavailable`. */
export type KeyLookUp = (hash: string, address: string) => Promise<boolean>;

/**
 * Looks up many keys in one request of `read`, which returns those of the hashes that there are. Each hash gets its look-up, and networks
 * take turns: however many keys one of them sends, those of the others are looked up next.
 */
export function createKeyLookUps(read: (hashes: readonly string[]) => Promise<ReadonlySet<string>>): KeyLookUp {
  const waiting = new Map<string, PromiseWithResolvers<boolean>>();
  const queue = createFairQueue(MAX_WAITING);
  let timer: NodeJS.Timeout | undefined;

  const takeOut = (hash: string) => {
    const asked = waiting.get(hash)!;
    waiting.delete(hash);
    return asked;
  };
  const lookUp = async () => {
    const hashes = queue.take(MAX_AT_ONCE);
    const taken = hashes.map((hash) => ({ hash, ...takeOut(hash) }));
    timer = queue.size > 0 ? setTimeout(() => void lookUp(), EVERY_MS) : undefined;
    try {
      const found = await read(hashes);
      for (const { hash, resolve } of taken) resolve(found.has(hash));
    } catch (error) {
      const reply = engineError(error);
      for (const { reject } of taken) reject(reply);
    }
  };

  return (hash, address) => {
    const there = waiting.get(hash);
    if (there) return there.promise;
    const asked = Promise.withResolvers<boolean>();
    waiting.set(hash, asked);
    const left = queue.add(network(address), hash);
    if (left !== undefined) takeOut(left).reject(unavailable(new Error("too many keys wait to be looked up")));
    timer ??= setTimeout(() => void lookUp(), EVERY_MS);
    return asked.promise;
  };
}
