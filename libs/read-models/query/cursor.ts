import type { RowPosition } from "./row-position.ts";
import { seal, unseal } from "./sealed.ts";

/**
 * A cursor: the position of the last row of a page, and the digest of the list that it belongs to. In bytes: version, digest,
 * checksum, then the position as text: the kind of its value, the value, a NUL and the id. Neither values nor ids have a NUL.
 */
export type Cursor = { digest: string; position: RowPosition };

/** In characters. */
export const MAX_CURSOR_LENGTH = 2048;
/** Longer values are cut. With the longest id, a cursor stays below its maximum. */
const MAX_VALUE_BYTES = 1000;

const VERSION = 1;

export const encodeCursor = ({ digest, position }: Cursor): string =>
  seal(VERSION, { digest, text: writePosition(position) });

/** Reads a cursor in linear time. Undefined for anything that `encodeCursor` did not make. */
export function decodeCursor(cursor: string): Cursor | undefined {
  const read = unseal(VERSION, cursor, MAX_CURSOR_LENGTH);
  const position = read && readPosition(read.text);
  return position && { digest: read.digest, position };
}

type Kind = "missing" | "number" | "text" | "cut";
const MARKS: Readonly<Record<Kind, string>> = { missing: "m", number: "n", text: "t", cut: "c" };

function writePosition({ value, id, cut }: RowPosition): string {
  const whole = value === null ? "" : String(value);
  const text = beginning(whole, MAX_VALUE_BYTES);
  const kindOf = (): Kind => {
    if (value === null) return "missing";
    if (typeof value === "number") return "number";
    return cut || text !== whole ? "cut" : "text";
  };
  return `${MARKS[kindOf()]}${text}\0${id}`;
}

function readPosition(text: string): RowPosition | undefined {
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

/** The first characters of a text that take at most this number of bytes. */
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
