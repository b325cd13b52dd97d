import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const HANDLE_LENGTH = 8;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const shapeOf = (prefix: string) =>
  new RegExp(
    `^${prefix}_([0-9A-Za-z]{${HANDLE_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
  );
const KEY = { prefix: "trn", shape: shapeOf("trn") };
/** Another prefix than that of keys, so that neither is taken for the other. */
const FEED_TOKEN = { prefix: "trf", shape: shapeOf("trf") };

/** Another one again: it opens `/ingest` of the operators' port alone. */
const INGEST_TOKEN = { prefix: "tri", shape: shapeOf("tri") };

/** Those of connected applications: an access token opens `/mcp` alone, a code and a refresh token the token endpoint alone. */
const ACCESS_TOKEN = { prefix: "tro", shape: shapeOf("tro") };
const CODE = { prefix: "trc", shape: shapeOf("trc") };
const REFRESH_TOKEN = { prefix: "trr", shape: shapeOf("trr") };
/** The first half of the secret is the same in all refresh tokens of a grant. */
const FAMILY_LENGTH = SECRET_LENGTH / 2;

/** A new account handle: 8 characters of base62, the part of every key that names the account. */
export const newHandle = (): string => randomText(HANDLE_LENGTH);

/** A new API key of an account: `trn_<handle>_<secret><checksum>`. It is shown once and stored only as its hash. */
export const newApiKey = (handle: string): string => newToken(KEY.prefix, handle);

/** A new token of a feed link of an account: `trf_<handle>_<secret><checksum>`. It is stored as a key is. */
export const newFeedToken = (handle: string): string => newToken(FEED_TOKEN.prefix, handle);

/** A new ingest token: `tri_<id>_<secret><checksum>`. It is stored as a key is. */
export const newIngestToken = (id: string): string => newToken(INGEST_TOKEN.prefix, id);

/** A new access token of an account: `tro_<handle>_<secret><checksum>`. It is stored as a key is. */
export const newAccessToken = (handle: string): string => newToken(ACCESS_TOKEN.prefix, handle);

/** A new authorization code: `trc_<grant>_<secret><checksum>`. */
export const newCode = (grant: string): string => newToken(CODE.prefix, grant);

/** A new refresh token: `trr_<grant>_<secret><checksum>`. With `family`, the next one of that family. */
export const newRefreshToken = (grant: string, family = randomText(FAMILY_LENGTH)): string =>
  newToken(REFRESH_TOKEN.prefix, grant, family + randomText(FAMILY_LENGTH));

/** The part of a refresh token that all tokens of its family have in common. */
export function familyOf(refreshToken: string): string {
  const begin = REFRESH_TOKEN.prefix.length + HANDLE_LENGTH + 2;
  return refreshToken.slice(begin, begin + FAMILY_LENGTH);
}

function newToken(prefix: string, handle: string, secret = randomText(SECRET_LENGTH)): string {
  const body = `${prefix}_${handle}_${secret}`;
  return body + checksum(body);
}

/** The handle of the account that a key belongs to, or undefined when it can't be a key: wrong shape or checksum. */
export const handleOfKey = (key: string): string | undefined => handleIn(key, KEY.shape);

/** The same of the token of a feed link. */
export const handleOfFeedToken = (token: string): string | undefined => handleIn(token, FEED_TOKEN.shape);

/** The id of an ingest token, or undefined when it can't be one. */
export const idOfIngestToken = (token: string): string | undefined => handleIn(token, INGEST_TOKEN.shape);

/** The handle of the account that an access token belongs to, or undefined when it can't be one. */
export const handleOfAccessToken = (token: string): string | undefined => handleIn(token, ACCESS_TOKEN.shape);

/** The id of the grant that a code was made for, or undefined when it can't be a code. */
export const grantOfCode = (code: string): string | undefined => handleIn(code, CODE.shape);

/** The id of the grant that a refresh token belongs to, or undefined when it can't be one. */
export const grantOfRefreshToken = (token: string): string | undefined => handleIn(token, REFRESH_TOKEN.shape);

function handleIn(token: string, shape: RegExp): string | undefined {
  const match = shape.exec(token);
  if (!match) return undefined;
  return checksum(token.slice(0, -CHECKSUM_LENGTH)) === match[3] ? match[1] : undefined;
}

/** The hash that is stored instead of a key: SHA-256 in hex. */
export function hashOfKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** The part of a key that people are shown, to distinguish it from others. */
export function prefixOfKey(key: string): string {
  return `${key.slice(0, "trn_".length + HANDLE_LENGTH + 5)}…`;
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** CRC-32 in base62, of fixed length: it reveals a mistyped key without any look-up. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
