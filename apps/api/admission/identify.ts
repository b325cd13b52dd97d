import { handleOfKey, hashOfKey } from "@tranche/shared/accounts/api-key";
import { LRUCache } from "lru-cache";
import { ApiError, unauthorized } from "../errors/api-error.ts";
import type { Asker } from "./asker.ts";
import { authorizationOf, bearerKey } from "./bearer.ts";
import type { Asking } from "./charge.ts";
import type { Guesses } from "./guesses.ts";

/**
 * Finds out whom a request names, or throws what refuses it: no key, a wrong checksum, a key that was looked for in vain a short
 * time ago, too many wrong keys from its address. It comes before anything else of the request is read, so that requests without a
 * key cost next to nothing. What it finds stays with the request, and further calls return it.
 */
export type Identify = (asking: Asking) => Promise<Asker>;

/** Authorization headers are short; those that name no key are not remembered. */
const REMEMBER_SENDERS = 1000;

export type IdentifyParts = {
  guesses: Guesses;
  /** Whether this process has let the key in before. */
  isKnown: (hash: string) => boolean;
  /** Asks Redis whether the key opens anything; only for addresses that have sent too many wrong ones. */
  opens: (asker: Asker) => Promise<boolean>;
  /** Counts a refusal, for operators. */
  refused: () => void;
};

export function createIdentify({ guesses, isKnown, opens, refused }: IdentifyParts): Identify {
  /** Whom the headers of the last requests name. */
  const senders = new LRUCache<string, Asker>({ max: REMEMBER_SENDERS });

  const namedBy = (authorization: string): Asker => {
    let sender = senders.get(authorization);
    if (!sender) {
      const key = bearerKey(authorization);
      const handle = handleOfKey(key);
      if (handle === undefined) throw unauthorized("This is not an API key: it may be cut off or mistyped.");
      sender = { handle, hash: hashOfKey(key) };
      senders.set(authorization, sender);
    }
    if (guesses.isMiss(sender.hash)) throw unauthorized("No such API key.");
    return sender;
  };

  return async (asking) => {
    if (asking.state.asker) return asking.state.asker;
    let asker: Asker;
    try {
      asker = namedBy(authorizationOf(asking.req));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused();
      throw await guesses.refuse(asking.ip, error);
    }
    if (!isKnown(asker.hash)) {
      // Right keys go on from there: others may share the address.
      const tooMany = await guesses.tooManyFrom(asking.ip);
      if (tooMany && !(await opens(asker))) throw tooMany;
    }
    asking.state.asker = asker;
    return asker;
  };
}
