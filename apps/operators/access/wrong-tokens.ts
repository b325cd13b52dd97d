import { network } from "@tranche/http/server/network";
import type { Logger } from "@tranche/shared/process/logger";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { tooMany } from "@tranche/http/errors/page-error";

const WINDOW_SECONDS = 600;
/** Wrong tokens within the window from one address, and from all. */
const OF_ADDRESS = 10;
const OF_ALL = 100;

/**
 * Counts a wrong token of an address, in whichever way it was sent: in the form of the pages, as a bearer token or as a password. Throws
 * `too_many_requests` once the address, or all together, sent too many. A right token is never asked about here, so nobody locks operators out.
 */
export type CountWrongToken = (address: string) => Promise<void>;

export function createCountWrongToken(log: Pick<Logger, "warn">): CountWrongToken {
  const ofAddress = new RateLimiterMemory({ points: OF_ADDRESS, duration: WINDOW_SECONDS });
  const ofAll = new RateLimiterMemory({ points: OF_ALL, duration: WINDOW_SECONDS });
  return async (address) => {
    try {
      await ofAddress.consume(network(address));
      await ofAll.consume("all");
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw tooMany("Too many wrong tokens.", refused.msBeforeNext / 1000);
    }
    log.warn({ address }, "somebody sent a wrong token to the operators' port");
  };
}
