import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { network } from "./network.ts";

const WINDOW_SECONDS = 600;
/** Wrong tokens within the window from one address, and from all. */
const OF_ADDRESS = 10;
const OF_ALL = 100;

/**
 * Counts wrong operators' tokens, in whichever way they were sent, and tells of each that is not too many. A right token is never asked
 * about here, so nobody locks operators out.
 */
export type WrongTokens = {
  /** Counts one. Resolves to the seconds until the next one is answered, when an address or all together sent too many; else undefined. */
  note(address: string): Promise<number | undefined>;
};

export function createWrongTokens(tell: (address: string) => void = () => {}): WrongTokens {
  const ofAddress = new RateLimiterMemory({ points: OF_ADDRESS, duration: WINDOW_SECONDS });
  const ofAll = new RateLimiterMemory({ points: OF_ALL, duration: WINDOW_SECONDS });
  return {
    async note(address) {
      try {
        await ofAddress.consume(network(address));
        await ofAll.consume("all");
      } catch (result) {
        if (!(result instanceof RateLimiterRes)) throw result;
        return Math.max(1, Math.ceil(result.msBeforeNext / 1000));
      }
      tell(address);
      return undefined;
    },
  };
}
