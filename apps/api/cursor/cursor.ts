import { hash } from "node:crypto";
import type { Position } from "@tranche/read-models/query/position";

/**
 * A cursor: the position of the last row of a page, and the digest of the list that it belongs to. In bytes: version, digest,
 * checksum, then the position as text: the kind of its value, the value, a NUL and the id. Neither values nor ids have a NUL.
 */
export type Cursor = { digest: string; position: Position };

/** In characters. */
export const MAX_CURSOR_LENGTH = 2048;
/** Longer values are cut. With the longest id, a cursor stays below its maximum. */
const MAX_VALUE_BYTES = 1000;

const VERSION = 1;
const DIGEST_BYTES = 9;
const CHECKSUM_BYTES = 6;
const HEAD_BYTES = 1 + DIGEST_BYTES + CHECKSUM_BYTES;

const BASE64URL = /^[A-Za-z0-9_-]+$/;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The digest of a list: its path, and its filters and order as `filters_applied` shows them. */
export function listDigest(path: string, filtersApplied: Readonly<Record<string, unknown>>): string {
  const sha = hash("sha256", JSON.stringify([path, filtersApplied]), "buffer");
  return sha.subarray(0, DIGEST_BYTES).toString("base64url");
}

export function encodeCursor({ digest, position }: Cursor): string {
  const belongsTo = Buffer.from(digest, "base64url");
  const text = Buffer.from(writePosition(position));
  return Buffer.concat([Buffer.of(VERSION), belongsTo, checksumOf(belongsTo, text), text]).toString("base64url");
}

/** Reads a cursor in linear time. Undefined for anything that `encodeCursor` did not make. */
export function decodeCursor(cursor: string): Cursor | undefined {
  if (cursor.length > MAX_CURSOR_LENGTH || !BASE64URL.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  // Another text with the same bytes: its last character has bits that are not used.
  if (bytes.toString("base64url") !== cursor) return undefined;
  if (bytes.length <= HEAD_BYTES || bytes[0] !== VERSION) return undefined;
  const digest = bytes.subarray(1, 1 + DIGEST_BYTES);
  const text = bytes.subarray(HEAD_BYTES);
  if (!checksumOf(digest, text).equals(bytes.subarray(1 + DIGEST_BYTES, HEAD_BYTES))) return undefined;
  const position = readPosition(text);
  return position && { digest: digest.toString("base64url"), position };
}

/** It finds damage. It keeps no secret: anyone may go on from any position of a list. */
function checksumOf(digest: Buffer, text: Buffer): Buffer {
  return hash("sha256", Buffer.concat([Buffer.of(VERSION), digest, text]), "buffer").subarray(0, CHECKSUM_BYTES);
}

type Kind = "missing" | "number" | "text" | "cut";
const MARKS: Readonly<Record<Kind, string>> = { missing: "m", number: "n", text: "t", cut: "c" };

function writePosition({ value, id, cut }: Position): string {
  const whole = value === null ? "" : String(value);
  const text = beginning(whole, MAX_VALUE_BYTES);
  const kindOf = (): Kind => {
    if (value === null) return "missing";
    if (typeof value === "number") return "number";
    return cut || text !== whole ? "cut" : "text";
  };
  return `${MARKS[kindOf()]}${text}\0${id}`;
}

function readPosition(bytes: Buffer): Position | undefined {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return undefined;
  }
  const end = text.indexOf("\0");
  const [value, id] = [text.slice(1, end), text.slice(end + 1)];
  if (end < 1 || id === "" || id.includes("\0")) return undefined;
  switch (text[0]) {
    case MARKS.missing:
      return value === "" ? { value: null, id } : undefined;
    case MARKS.number:
      return Number.isFinite(Number(value)) && String(Number(value)) === value
        ? { value: Number(value), id }
        : undefined;
    case MARKS.text:
      return { value, id };
    case MARKS.cut:
      return { value, id, cut: true };
    default:
      return undefined;
  }
}

/** The first characters of a text that take at most so many bytes. */
function beginning(text: string, maxBytes: number): string {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  // Bytes 10xxxxxx continue a character.
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString();
}
