import type { Format } from "./formats.ts";
import type { Input } from "./input.ts";
import { startingWith } from "./input.ts";
import { refusal, SourceError, type SourceItem, unexpected } from "./item.ts";
import { readJsonArray } from "./json-array.ts";
import { readNdjson } from "./ndjson.ts";
import { orOneRefusal } from "./no-records.ts";
import { assertText, SIGNATURE_BYTES } from "./recognise.ts";

/** Reads rows of CSV files of an encoding; made from a mapping. */
export type CsvReader = { encoding: string; read: (bytes: AsyncIterable<Buffer>) => AsyncIterable<SourceItem> };

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const BLANKS = [0x20, 0x09, 0x0a, 0x0d];
const MAX_BLANKS = 1024 * 1024;

/**
 * The items of an input. Without a format, `[` as the first non-blank character means a JSON array, otherwise NDJSON. It never throws:
 * if reading fails, or the input is empty, the last item says so. A file of another kind is one refusal.
 */
export function readSource(
  input: Pick<Input, "bytes">,
  format: Format | undefined,
  csv?: CsvReader,
): AsyncGenerator<SourceItem> {
  const pieces = readPieces(input, format, csv);
  return csv ? pieces : orOneRefusal(pieces);
}

/** As `readSource`, with a refusal for each piece of a file of another kind. */
export async function* readPieces(
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
    yield refusal({}, error instanceof SourceError ? error.message : `${unexpected(error)}; the rest was not read`);
  }
}

async function reader(
  bytes: AsyncIterable<Buffer>,
  format: Format | undefined,
  csv?: CsvReader,
): Promise<AsyncIterable<SourceItem>> {
  const { head, rest } = await peek(bytes);
  assertText(head, csv?.encoding);
  if (csv) return csv.read(startingWith(head, rest));
  const text = head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? head.subarray(3) : head;
  const first = firstOf(text);
  if (format === "json" && first !== undefined && first !== "[")
    throw new SourceError(`begins with '${first}', expected a JSON array, which begins with '['`);
  const isArray = format === "json" || (format === undefined && first === "[");
  return (isArray ? readJsonArray : readNdjson)(startingWith(text, rest));
}

/** The beginning, with at least one character that is not blank when there is one, and what follows. */
async function peek(bytes: AsyncIterable<Buffer>): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  const chunks = bytes[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < SIGNATURE_BYTES || (firstOf(head) === undefined && head.length < MAX_BLANKS)) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, rest: { [Symbol.asyncIterator]: () => chunks } };
}

/** The first character that is not blank. */
function firstOf(bytes: Buffer): string | undefined {
  const first = bytes.find((byte) => !BLANKS.includes(byte));
  return first === undefined ? undefined : String.fromCharCode(first);
}
