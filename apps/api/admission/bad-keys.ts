import { network } from "@tranche/http/server/network";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ApiError } from "../errors/api-error.ts";

/** Bad keys that one IP address may send to one process within the window. */
const MAX_BAD_KEYS = 60;
const WINDOW_SECONDS = 60;
/** A key that does not exist is not looked up again for this long. */
const UNKNOWN_MS = 60_000;
const MAX_UNKNOWN = 10_000;

/** Limits what bad keys cost. */
export type BadKeys = {
  /** Whether this key was recently looked up and not found. */
  isUnknown(hash: string): boolean;
  noteUnknown(hash: string): void;
  /** Counts a bad key and returns the error to answer with: the refusal itself, or that there were too many. */
  refuse(address: string, refusal: ApiError): Promise<ApiError>;
  /** Whether an IP address has sent too many bad keys. */
  hasTooMany(address: string): Promise<boolean>;
};

export function createBadKeys(): BadKeys {
  const unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: UNKNOWN_MS });
  const limiter = new RateLimiterMemory({ points: MAX_BAD_KEYS, duration: WINDOW_SECONDS });

  return {
    isUnknown: (hash) => unknown.has(hash),
    noteUnknown: (hash) => void unknown.set(hash, true),
    async refuse(address, refusal) {
      const wait = await waitOf(limiter, network(address));
      return wait === undefined ? refusal : tooMany(wait);
    },
    async hasTooMany(address) {
      return ((await limiter.get(network(address)))?.consumedPoints ?? 0) >= MAX_BAD_KEYS;
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
