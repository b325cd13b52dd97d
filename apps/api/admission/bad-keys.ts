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
  /** The error to answer with when an IP address has sent too many bad keys for another look-up; undefined when it has not. */
  tooManyFrom(address: string): Promise<ApiError | undefined>;
};

export function createBadKeys(): BadKeys {
  const unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: UNKNOWN_MS });
  const limiter = new RateLimiterMemory({ points: MAX_BAD_KEYS, duration: WINDOW_SECONDS });

  return {
    isUnknown: (hash) => unknown.has(hash),
    noteUnknown: (hash) => void unknown.set(hash, true),
    async refuse(address, refusal) {
      try {
        await limiter.consume(network(address));
        return refusal;
      } catch (result) {
        if (!(result instanceof RateLimiterRes)) throw result;
        return tooMany(result);
      }
    },
    async tooManyFrom(address) {
      const state = await limiter.get(network(address));
      return state && state.consumedPoints >= MAX_BAD_KEYS ? tooMany(state) : undefined;
    },
  };
}

function tooMany({ msBeforeNext }: RateLimiterRes): ApiError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  const message = `Too many requests without a valid API key from this IP address. Try again in ${seconds} s.`;
  return new ApiError("rate_limited", message, { headers: { "Retry-After": String(seconds) } });
}
