import type { IncomingMessage } from "node:http";
import { ApiError, unauthorized } from "../errors/api-error.ts";
import type { BadKeys } from "./bad-keys.ts";
import type { CallerRequest } from "./charge.ts";
import type { CheckKey } from "./check-key.ts";
import { createCredentialsReader, type Credentials } from "./credentials.ts";
import type { KnownCallers } from "./known-callers.ts";

/**
 * Reads a request's credentials, or throws the refusal: no key, a wrong checksum, a key that was recently looked up and not found, or, once
 * its IP address has sent too many bad keys, any key that does not work. It comes before anything else of the request is read, so that
 * requests without a key cost next to nothing. The credentials stay with the request, and further calls return them. `read`: how they are read, if not from
 * the Authorization header.
 */
export type Identify = (
  request: CallerRequest,
  read?: (request: IncomingMessage) => Credentials,
) => Promise<Credentials>;

export function createIdentify(parts: {
  badKeys: BadKeys;
  known: KnownCallers;
  checkKey: CheckKey;
  /** Counts a refusal, for operators. */
  refused: () => void;
}): Identify {
  const { badKeys, known, checkKey, refused } = parts;
  const readCredentials = createCredentialsReader();

  const credentialsOf = ({ req }: CallerRequest, read: (request: IncomingMessage) => Credentials): Credentials => {
    const credentials = read(req);
    if (badKeys.isUnknown(credentials.hash)) throw unauthorized("No such API key.");
    return credentials;
  };

  return async (request, read = readCredentials) => {
    if (request.state.credentials) return request.state.credentials;
    let credentials: Credentials;
    try {
      credentials = credentialsOf(request, read);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused();
      throw await badKeys.refuse(request.ip, error);
    }
    // Several callers may share the IP address, so a key that works is admitted whatever others send.
    if (!known.has(credentials.hash) && (await badKeys.hasTooMany(request.ip))) await checkKey(request, credentials);
    request.state.credentials = credentials;
    return credentials;
  };
}
