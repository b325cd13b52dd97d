import { hash } from "node:crypto";

const DIGEST_BYTES = 9;
/** Of a digest as base64url, which writes three bytes as four characters. */
const DIGEST_LENGTH = (DIGEST_BYTES / 3) * 4;
const CHECKSUM_BYTES = 6;
const HEAD_BYTES = 1 + DIGEST_BYTES + CHECKSUM_BYTES;

const BASE64URL = /^[A-Za-z0-9_-]+$/;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A text that callers keep and send back: a text, and the digest of the list that it belongs to. */
export type Sealed = { digest: string; text: string };

/** The digest of a list: its path, and its filters and order as `filters_applied` shows them. */
export function listDigest(path: string, filtersApplied: Readonly<Record<string, unknown>>): string {
  return hash("sha256", JSON.stringify([path, filtersApplied]), "base64url").slice(0, DIGEST_LENGTH);
}

/** In bytes: version, digest, checksum, text. */
export function seal(version: number, { digest, text }: Sealed): string {
  const belongsTo = Buffer.from(digest, "base64url");
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.of(version), belongsTo, checksumOf(version, belongsTo, bytes), bytes]).toString(
    "base64url",
  );
}

/** Reads what `seal` made, in linear time. Undefined for anything else, and for what has more characters than `maxLength`. */
export function unseal(version: number, sealed: string, maxLength: number): Sealed | undefined {
  if (sealed.length > maxLength || !BASE64URL.test(sealed)) return undefined;
  const bytes = Buffer.from(sealed, "base64url");
  // Another text with the same bytes: its last character has bits that are not used.
  if (bytes.toString("base64url") !== sealed) return undefined;
  if (bytes.length <= HEAD_BYTES || bytes[0] !== version) return undefined;
  const digest = bytes.subarray(1, 1 + DIGEST_BYTES);
  const text = bytes.subarray(HEAD_BYTES);
  if (!checksumOf(version, digest, text).equals(bytes.subarray(1 + DIGEST_BYTES, HEAD_BYTES))) return undefined;
  try {
    return { digest: digest.toString("base64url"), text: UTF8.decode(text) };
  } catch {
    return undefined;
  }
}

/** It finds damage. It is not a secret: anyone may continue from any position of a list. */
function checksumOf(version: number, digest: Buffer, text: Buffer): Buffer {
  return hash("sha256", Buffer.concat([Buffer.of(version), digest, text]), "buffer").subarray(0, CHECKSUM_BYTES);
}
