import type { Format } from "./formats.ts";
import type { Input } from "./input.ts";
import { startingWith } from "./input.ts";
import { refusal, SourceError, type SourceItem } from "./item.ts";
import { readJsonArray } from "./json-array.ts";
import { readNdjson } from "./ndjson.ts";

/** Reads rows of a CSV file; made from a mapping. */
export type CsvReader = (bytes: AsyncIterable<Buffer>) => AsyncIterable<SourceItem>;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const BLANKS = [0x20, 0x09, 0x0a, 0x0d];

/**
 * What an input holds, piece by piece. Without a format, a `[` as first sign that is no blank tells a JSON array from NDJSON.
 * The last item says so when reading could not go on, or when there was nothing.
 */
export async function* readSource(
  input: Pick<Input, "bytes">,
  format: Format | undefined,
  csv?: CsvReader,
): AsyncGenerator<SourceItem> {
  let empty = true;
  try {
    for await (const item of await reader(input.bytes, format, csv)) {
      empty = false;
      yield item;
    }
    if (empty) yield refusal({}, "has no records");
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield refusal({}, error.message);
  }
}

async function reader(
  bytes: AsyncIterable<Buffer>,
  format: Format | undefined,
  csv?: CsvReader,
): Promise<AsyncIterable<SourceItem>> {
  if (csv) return csv(bytes);
  const { first, all } = await peek(bytes);
  if (format === "json" && first !== undefined && first !== "[") {
    throw new SourceError(`begins with '${first}', expected a JSON array, which begins with '['`);
  }
  return format === "json" || (format === undefined && first === "[") ? readJsonArray(all) : readNdjson(all);
}

/** The first sign that is no blank, and everything after a byte order mark. */
async function peek(bytes: AsyncIterable<Buffer>): Promise<{ first: string | undefined; all: AsyncIterable<Buffer> }> {
  const chunks = bytes[Symbol.asyncIterator]();
  const rest: AsyncIterable<Buffer> = { [Symbol.asyncIterator]: () => chunks };
  let head = Buffer.alloc(0);
  for (;;) {
    const begin = head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
    const first = head.subarray(begin).find((byte) => !BLANKS.includes(byte));
    // Up to three bytes may still turn out to be the mark.
    const known = first !== undefined && (head.length >= 3 || first !== BYTE_ORDER_MARK[0]);
    const next = known || head.length > 1024 * 1024 ? undefined : await chunks.next();
    if (next === undefined || next.done) {
      const shown = first === undefined ? undefined : String.fromCharCode(first);
      return { first: shown, all: startingWith(head.subarray(begin), rest) };
    }
    head = Buffer.concat([head, next.value]);
  }
}
