import { isIPv6 } from "node:net";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ApiError } from "../errors/api-error.ts";

/** Wrong keys that one address may send in 60 seconds to one process. */
const WRONG_KEYS = 60;
const WINDOW_SECONDS = 60;
/** A key that is not there is not looked for again for so long. */
const UNKNOWN_MS = 60_000;
const MAX_UNKNOWN = 10_000;

/** What keeps wrong keys from costing much. */
export type BadKeys = {
  /** Whether this key was looked for in vain a short time ago. */
  isUnknown(hash: string): boolean;
  noteUnknown(hash: string): void;
  /** Counts a wrong key and returns what to answer: the refusal itself, or that there were too many. */
  refuse(address: string, refusal: ApiError): Promise<ApiError>;
  /** What to answer when an address has sent too many wrong keys for another look-up; undefined when it has not. */
  tooManyFrom(address: string): Promise<ApiError | undefined>;
};

export function createBadKeys(): BadKeys {
  const unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: UNKNOWN_MS });
  const limiter = new RateLimiterMemory({ points: WRONG_KEYS, duration: WINDOW_SECONDS });

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
      return state && state.consumedPoints >= WRONG_KEYS ? tooMany(state) : undefined;
    },
  };
}

function tooMany({ msBeforeNext }: RateLimiterRes): ApiError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new ApiError(
    "rate_limited",
    `Too many requests without a valid API key from this IP address. Try again in ${seconds} s.`,
    {
      headers: { "Retry-After": String(seconds) },
    },
  );
}

const groups = (text: string | undefined): string[] => (text ? text.split(":") : []);

/** What one person has to themselves: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function network(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const [front, back] = [groups(head), groups(tail)];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const all = [...front, ...Array.from({ length: zeros }, () => "0"), ...back];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
