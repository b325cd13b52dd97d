import type { IncomingMessage } from "node:http";
import { ApiError, unauthorized } from "../errors/api-error.ts";
import { RedisAway } from "../redis/silence-timeout.ts";
import type { Lane } from "../redis/gateway.ts";
import type { BadKeys } from "./bad-keys.ts";
import type { CallerRequest } from "./charge.ts";
import type { Counters } from "./counters.ts";
import { createCredentialsReader, type Credentials } from "./credentials.ts";
import type { KnownCallers } from "./known-callers.ts";

/**
 * Reads a request's credentials, or throws the refusal: no key, a wrong checksum, a key that was recently looked up and not found,
 * or too many bad keys from its IP address. It comes before anything else of the request is read, so that requests without a key
 * cost next to nothing. The credentials stay with the request, and further calls return them. `read`: how they are read, if not from
 * the Authorization header.
 */
export type Identify = (
  request: CallerRequest,
  read?: (request: IncomingMessage) => Credentials,
) => Promise<Credentials>;

export function createIdentify(parts: {
  badKeys: BadKeys;
  known: KnownCallers;
  counters: Pick<Counters, "works">;
  laneOfAccount: (handle: string) => Pick<Lane, "outage">;
  /** Counts a refusal, for operators. */
  refused: () => void;
}): Identify {
  const { badKeys, known, counters, laneOfAccount, refused } = parts;
  const readCredentials = createCredentialsReader();

  const credentialsOf = ({ req }: CallerRequest, read: (request: IncomingMessage) => Credentials): Credentials => {
    const credentials = read(req);
    if (badKeys.isUnknown(credentials.hash)) throw unauthorized("No such API key.");
    return credentials;
  };

  const works = async (credentials: Credentials): Promise<boolean> => {
    const { outage } = laneOfAccount(credentials.handle);
    if (outage.lasts() !== undefined) return false;
    try {
      return await counters.works(credentials);
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error;
      outage.begins(error);
      return false;
    }
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
    if (!known.has(credentials.hash)) {
      // Keys that work are still admitted, because several callers may share the IP address.
      const tooMany = await badKeys.tooManyFrom(request.ip);
      if (tooMany && !(await works(credentials))) throw tooMany;
    }
    request.state.credentials = credentials;
    return credentials;
  };
}
