import type { IncomingMessage } from "node:http";
import { handleOfAccessToken, handleOfKey, hashOfKey } from "@tranche/shared/accounts/api-key";
import { LRUCache } from "lru-cache";
import { unauthorized } from "../errors/api-error.ts";

/** The account and the hash of the key that a request names. The key's checksum is right; whether the key works is not known yet. */
export type Credentials = { handle: string; hash: string };

/** Authorization headers are short, and those without a valid key are not cached. */
const MAX_CACHED_HEADERS = 1000;

/** The handle of the account in a key, or in another credential that a place takes; undefined when it can't be one. */
type HandleOf = (key: string) => string | undefined;

/** For the resource of OAuth: keys, and access tokens of connected applications. */
export const handleOfKeyOrToken: HandleOf = (key) => handleOfKey(key) ?? handleOfAccessToken(key);

/**
 * Returns a function that reads the credentials of a request. It throws `unauthorized` when the key is missing or its checksum is
 * wrong. The headers of recent requests are cached, because hashing a key costs more than the rest.
 */
export function createCredentialsReader(handleOf: HandleOf = handleOfKey): (request: IncomingMessage) => Credentials {
  const cache = new LRUCache<string, Credentials>({ max: MAX_CACHED_HEADERS });
  return (request) => {
    const header = authorizationHeader(request);
    const cached = cache.get(header);
    if (cached) return cached;
    const key = bearerKey(header);
    const handle = handleOf(key);
    if (handle === undefined) throw unauthorized(handleOfAccessToken(key) === undefined ? NO_KEY : TOKEN_ELSEWHERE);
    const credentials = { handle, hash: hashOfKey(key) };
    cache.set(header, credentials);
    return credentials;
  };
}

const NO_KEY = "This is not an API key: it may be cut off or mistyped.";
const TOKEN_ELSEWHERE =
  "This is an access token of a connected application, which works at `/mcp` alone. Send an API key.";

/** The Authorization header, "" without one. Several are refused, because Node would use the first and drop the others. */
function authorizationHeader({ headers, rawHeaders }: IncomingMessage): string {
  let count = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!;
    if (name.length === 13 && name.toLowerCase() === "authorization") count++;
  }
  if (count > 1) throw unauthorized("The request has more than one Authorization header. Send one.");
  return headers.authorization ?? "";
}

/**
 * The key in an Authorization header; throws `unauthorized` when there is none. The scheme may be in any case. Node has already
 * removed spaces and tabs around the header; any other character around the key makes it wrong.
 */
export function bearerKey(header: string): string {
  if (header === "") throw unauthorized("No API key. Send the header `Authorization: Bearer <API_KEY>`.");
  const key = /^bearer(?: +([^ ].*))?$/i.exec(header);
  if (!key)
    throw unauthorized(
      "The Authorization header does not use the Bearer scheme. Send `Authorization: Bearer <API_KEY>`.",
    );
  if (!key[1]) throw unauthorized("The Authorization header has no key after `Bearer`.");
  return key[1];
}
