import { network } from "@tranche/http/server/network";
import { LRUCache } from "lru-cache";
import { type IRateLimiterOptions, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ApiError } from "../errors/api-error.ts";

/** Bad keys that one IP address may send to one process within the window. */
const MAX_BAD_KEYS = 60;
const WINDOW_SECONDS = 60;
/** A key that does not exist is not looked up again for this long. */
const UNKNOWN_MS = 60_000;
const MAX_UNKNOWN = 10_000;

/** Past the limit, an address may have so many keys looked up in a second … */
const LOOK_UPS: IRateLimiterOptions = { points: 5, duration: 1 };
/** … and as many again that were refused before and come again after a while, as their caller was told to. */
const COMES_AGAIN_MS = 900;
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 20_000;

/** Limits what bad keys cost. */
export type BadKeys = {
  /** Whether this key was recently looked up and not found. */
  isUnknown(hash: string): boolean;
  noteUnknown(hash: string): void;
  /** Counts a bad key and returns the error to answer with: the refusal itself, or that there were too many. */
  refuse(address: string, refusal: ApiError): Promise<ApiError>;
  /** Whether an IP address has sent too many bad keys. */
  hasTooMany(address: string): Promise<boolean>;
  /**
   * Takes a turn to look a key up for an address, or throws `rate_limited`. Past the limit an address has few turns in a second. Keys that
   * come again have turns of their own, so that somebody who invents ever new keys does not keep a right key of the same address out.
   */
  takeLookUp(address: string, hash: string): Promise<void>;
};

/** `now`: in ms. */
export function createBadKeys(now: () => number = Date.now): BadKeys {
  const unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: UNKNOWN_MS });
  const limiter = new RateLimiterMemory({ points: MAX_BAD_KEYS, duration: WINDOW_SECONDS });
  const turns = { new: new RateLimiterMemory(LOOK_UPS), again: new RateLimiterMemory(LOOK_UPS) };
  /** When a key that got no turn came first (ms), by its hash. */
  const waiting = new LRUCache<string, number>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });

  const hasTooMany = async (address: string) =>
    ((await limiter.get(network(address)))?.consumedPoints ?? 0) >= MAX_BAD_KEYS;

  return {
    isUnknown: (hash) => unknown.has(hash),
    noteUnknown: (hash) => void unknown.set(hash, true),
    async refuse(address, refusal) {
      const wait = await waitOf(limiter, network(address));
      return wait === undefined ? refusal : tooMany(wait);
    },
    hasTooMany,
    async takeLookUp(address, hash) {
      if (!(await hasTooMany(address))) return;
      const since = waiting.get(hash);
      const comesAgain = since !== undefined && now() - since >= COMES_AGAIN_MS;
      const wait = await waitOf(comesAgain ? turns.again : turns.new, network(address));
      if (wait === undefined) return void waiting.delete(hash);
      if (since === undefined) waiting.set(hash, now());
      throw tooMany(wait);
    },
  };
}

/** Takes one of the points of a limiter. Undefined when there was one, else for how long there is none, in ms. */
async function waitOf(limiter: RateLimiterMemory, key: string): Promise<number | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (result) {
    if (!(result instanceof RateLimiterRes)) throw result;
    return result.msBeforeNext;
  }
}

function tooMany(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `Too many requests without a valid API key from this IP address. Try again in ${seconds} s.`;
  return new ApiError("rate_limited", message, { headers: { "Retry-After": String(seconds) } });
}
