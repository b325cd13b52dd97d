import { createWrongTokens } from "@tranche/http/server/wrong-tokens";
import type { Logger } from "@tranche/shared/process/logger";
import { OperatorError } from "./errors.ts";

/** Counts a wrong token of an address. Throws `too_many_requests` once there were too many. */
export type CountWrongToken = (address: string) => Promise<void>;

/** One for the port: it counts tokens in the form of the pages as well as those in an Authorization header. */
export function createCountWrongToken(log: Pick<Logger, "warn">): CountWrongToken {
  const wrongTokens = createWrongTokens((address) =>
    log.warn({ address }, "somebody sent a wrong token to the operators' port"),
  );
  return async (address) => {
    const seconds = await wrongTokens.note(address);
    if (seconds === undefined) return;
    throw new OperatorError("too_many_requests", `Too many wrong tokens. Try again in ${seconds} s.`, {
      headers: { "Retry-After": String(seconds) },
    });
  };
}
