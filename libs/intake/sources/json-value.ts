import { isUtf8 } from "node:buffer";
import { countKeys, duplicateKeys } from "./duplicate-keys.ts";
import { refusal, type SourceLocation, type SourceItem, TOO_LONG } from "./item.ts";

/** Records have three levels. A value nested deeper than this is not one, and could exhaust the stack of the code that reads it. */
export const MAX_DEPTH = 100;

/** A piece of a file that should be one JSON value. */
export type Piece = {
  bytes: Buffer;
  /** Only its beginning is kept. */
  tooLong: boolean;
};

/** Some write a comma at the end of each line, as between the elements of an array. */
export const withoutComma = (text: string): string =>
  text.startsWith("{") && text.endsWith("},") ? text.slice(0, -1) : text;

/** Reads a piece; undefined where it is blank. */
export function readValue(location: SourceLocation, { bytes, tooLong }: Piece): SourceItem | undefined {
  const raw = bytes.toString("utf8").trim();
  if (tooLong) return refusal(location, TOO_LONG, raw);
  if (!isUtf8(bytes)) return refusal(location, "is not valid UTF-8", raw);
  if (raw === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(withoutComma(raw));
  } catch (error) {
    return refusal(location, `is not JSON: ${(error as Error).message}`, raw);
  }
  const keys = countKeys(value, MAX_DEPTH);
  if (keys === Infinity) return refusal(location, `is nested deeper than ${MAX_DEPTH} levels`, raw);
  const notes = duplicateKeys(raw, keys).map((key) => ({ kind: "duplicate_key" as const, key }));
  return { ok: true, location, values: [value], raw, notes };
}
