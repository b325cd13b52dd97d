import { setImmediate as immediate } from "node:timers/promises";
import { jsonRows } from "../mapping/json-rows.ts";
import { createRowMapper, type Vocabulary } from "../mapping/rows.ts";
import type { Mapping } from "../mapping/schema.ts";
import { countKeys } from "./duplicate-keys.ts";
import { startingWith } from "./input.ts";
import { type ItemNote, MAX_ITEM_BYTES, refusal, SourceError, type SourceItem, unexpected } from "./item.ts";
import { firstOf, jsonItems, withoutMark } from "./json-items.ts";
import { MAX_DEPTH, withoutComma } from "./json-value.ts";
import type { MappedReader } from "./source.ts";

const TOO_MANY_ROWS =
  "gives more than 100,000 rows, or 2,000,000 cells: write the items of its list as an array, or one per line";
/** A document that is one object, which is read as a whole, has at most so many bytes. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
/** A piece is kept until its last row is read. Its members around a nested list are in each of its rows. */
const MAX_ROWS = 100_000;
const MAX_CELLS = 2_000_000;
/** Rows after which others have their turn. */
const ROWS_AT_ONCE = 1000;

/**
 * A reader of JSON files that share a mapping: the rows of each element or line. A piece is refused as a whole, because its rows have
 * no lines of their own.
 */
export function mappedJsonReader(mapping: Mapping, vocabulary: Vocabulary): MappedReader {
  const mapRow = createRowMapper(mapping, vocabulary);
  return { encoding: "utf8", read };

  async function* read(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceItem> {
    for await (const item of valuesOf(bytes)) yield item.ok ? await itemOf(item) : item;
  }

  async function itemOf({
    location,
    values: [value],
    raw,
    notes = [],
  }: SourceItem & { ok: true }): Promise<SourceItem> {
    const values: unknown[] = [];
    const filled: unknown[] = [];
    const found: ItemNote[] = [...notes];
    let skipped = true;
    let [rows, cells] = [0, 0];
    try {
      for (const row of jsonRows(value, mapping.for_each)) {
        rows++;
        cells += Object.keys(row).length;
        if (rows > MAX_ROWS || cells > MAX_CELLS) return refusal(location, TOO_MANY_ROWS, raw);
        if (rows % ROWS_AT_ONCE === 0) await immediate();
        const mapped = mapRow(row);
        if (mapped.kind === "refused") return { ok: false, location, problems: mapped.problems, raw };
        if (mapped.kind === "skipped") continue;
        skipped = false;
        values.push(...mapped.values);
        filled.push(...mapped.filled);
        found.push(...mapped.notes);
      }
    } catch (error) {
      return refusal(location, unexpected(error), raw);
    }
    return skipped
      ? { ok: true, location, values: [], raw, skipped }
      : { ok: true, location, values, filled, notes: found, raw };
  }
}

/** The values of an array, of lines, or of one object over several lines. */
export async function* valuesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceItem> {
  const { head, rest } = await upToLineEnd(bytes);
  const all = startingWith(head, rest);
  if (!isDocument(head)) {
    yield* jsonItems(all);
    return;
  }
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of all) {
    parts.push(chunk);
    length += chunk.length;
    if (length > MAX_DOCUMENT_BYTES)
      throw new SourceError("is one object of more than 64 MiB, expected an array or one object per line");
  }
  const raw = withoutMark(Buffer.concat(parts)).toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    throw new SourceError(`is not JSON: ${(error as Error).message}`);
  }
  if (countKeys(value, MAX_DEPTH) === Infinity) throw new SourceError(`is nested deeper than ${MAX_DEPTH} levels`);
  yield { ok: true, location: { element: 1 }, values: [value], raw: raw.slice(0, MAX_ITEM_BYTES) };
}

/** Whether a file that begins with these bytes is one object over several lines, or on a line longer than a record. */
export function isDocument(begin: Buffer): boolean {
  const marked = withoutMark(begin);
  if (firstOf(marked) !== "{") return false;
  const text = marked.subarray(marked.indexOf("{"));
  const end = text.indexOf("\n");
  const line = text.subarray(0, end === -1 ? text.length : end);
  return line.length > MAX_ITEM_BYTES || !isJson(line.toString("utf8"));
}

async function upToLineEnd(bytes: AsyncIterable<Buffer>): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  const chunks = bytes[Symbol.asyncIterator]();
  const parts: Buffer[] = [];
  for (let length = 0; !parts.at(-1)?.includes("\n") && length <= MAX_ITEM_BYTES;) {
    const next = await chunks.next();
    if (next.done) break;
    parts.push(next.value);
    length += next.value.length;
  }
  return { head: Buffer.concat(parts), rest: { [Symbol.asyncIterator]: () => chunks } };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(withoutComma(text.trim()));
    return true;
  } catch {
    return false;
  }
}
