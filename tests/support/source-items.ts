import { gunzip } from "@tranche/intake/sources/gunzip";
import type { Format } from "@tranche/intake/sources/formats";
import type { SourceItem } from "@tranche/intake/sources/item";
import { readPieces, readSource } from "@tranche/intake/sources/source";

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

export async function collected(items: AsyncIterable<SourceItem>): Promise<SourceItem[]> {
  const all: SourceItem[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The items of a content that comes in pieces of `size` bytes. */
export function read(
  content: string | Buffer,
  options: { format?: Format; size?: number; packed?: boolean; warn?: (text: string) => void } = {},
): Promise<SourceItem[]> {
  const pieces = inPieces(Buffer.from(content), options.size ?? 7);
  return collected(readPieces({ bytes: options.packed ? gunzip(pieces, options.warn) : pieces }, options.format));
}

/** As `ops ingest` reads it: a file of another kind is one refusal. */
export function readFile(content: string | Buffer, format?: Format): Promise<SourceItem[]> {
  return collected(readSource({ bytes: inPieces(Buffer.from(content), 1000) }, format));
}

/** `12: value` or `12: reason`, so that a whole reading is one list. */
export const shown = (items: SourceItem[]): string[] =>
  items.map((item) => {
    const location =
      "line" in item.location ? item.location.line : "element" in item.location ? `#${item.location.element}` : "file";
    return `${location}: ${item.ok ? JSON.stringify(item.values[0]) : item.problems.map(({ reason }) => reason).join("; ")}`;
  });

/** A JSON text of this number of bytes. */
export const line = (length: number): string => `"${"x".repeat(length - 2)}"`;
