import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { network } from "@tranche/http/server/network";
import { OperatorError } from "./errors.ts";

/** Wrong tokens that one address may enter within the window. */
const MAX_WRONG = 10;
const WINDOW_SECONDS = 600;

/** Limits how often somebody can guess the operators' token. */
export type SignInLimit = {
  /** Counts an attempt. Throws `too_many_requests` once an address has made too many. */
  attempt(address: string): Promise<void>;
  /** The attempt was right, so it does not count. */
  forgive(address: string): Promise<void>;
};

export function createSignInLimit(): SignInLimit {
  const limiter = new RateLimiterMemory({ points: MAX_WRONG, duration: WINDOW_SECONDS });
  return {
    async attempt(address) {
      try {
        await limiter.consume(network(address));
      } catch (result) {
        if (!(result instanceof RateLimiterRes)) throw result;
        const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
        throw new OperatorError("too_many_requests", "Too many wrong tokens from this address.", {
          headers: { "Retry-After": String(seconds) },
        });
      }
    },
    async forgive(address) {
      await limiter.reward(network(address));
    },
  };
}
