import { ApiError, unauthorized } from "../errors/api-error.ts";
import type { BadKeys } from "./bad-keys.ts";
import type { Asking } from "./charge.ts";
import { createCredentialsReader, type Credentials } from "./credentials.ts";

/**
 * Reads a request's credentials, or throws the refusal: no key, a wrong checksum, a key that was looked up in vain a short time ago,
 * or too many bad keys from its IP address. It comes before anything else of the request is read, so that requests without a key
 * cost next to nothing. The credentials stay with the request, and further calls return them.
 */
export type Identify = (asking: Asking) => Promise<Credentials>;

export type IdentifyParts = {
  badKeys: BadKeys;
  /** Whether this process has admitted the key before. */
  isKnown: (hash: string) => boolean;
  /** Asks Redis whether the key works. Only called for IP addresses that have sent too many bad keys. */
  works: (credentials: Credentials) => Promise<boolean>;
  /** Counts a refusal, for operators. */
  refused: () => void;
};

export function createIdentify({ badKeys, isKnown, works, refused }: IdentifyParts): Identify {
  const readCredentials = createCredentialsReader();

  const credentialsOf = ({ req }: Asking): Credentials => {
    const credentials = readCredentials(req);
    if (badKeys.isUnknown(credentials.hash)) throw unauthorized("No such API key.");
    return credentials;
  };

  return async (asking) => {
    if (asking.state.credentials) return asking.state.credentials;
    let credentials: Credentials;
    try {
      credentials = credentialsOf(asking);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused();
      throw await badKeys.refuse(asking.ip, error);
    }
    if (!isKnown(credentials.hash)) {
      // Keys that work are still admitted: several callers may share the IP address.
      const tooMany = await badKeys.tooManyFrom(asking.ip);
      if (tooMany && !(await works(credentials))) throw tooMany;
    }
    asking.state.credentials = credentials;
    return credentials;
  };
}
