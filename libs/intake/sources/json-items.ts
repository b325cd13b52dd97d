import { type SourceItem, SourceError } from "./item.ts";
import { startingWith } from "./input.ts";
import { readJsonArray } from "./json-array.ts";
import { readNdjson } from "./ndjson.ts";
import { SIGNATURE_BYTES } from "./recognise.ts";

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const BLANKS = [0x20, 0x09, 0x0a, 0x0d];
const MAX_BLANKS = 1024 * 1024;

/** The values of a JSON array, or of NDJSON: `[` as the first character decides, where no format is given. */
export async function* jsonItems(bytes: AsyncIterable<Buffer>, format?: "json" | "ndjson"): AsyncGenerator<SourceItem> {
  const { head, rest } = await peek(bytes);
  const text = withoutMark(head);
  const first = firstOf(text);
  if (format === "json" && first !== undefined && first !== "[")
    throw new SourceError(`begins with '${first}', expected a JSON array, which begins with '['`);
  const isArray = format === "json" || (format === undefined && first === "[");
  yield* (isArray ? readJsonArray : readNdjson)(startingWith(text, rest));
}

export const withoutMark = (head: Buffer): Buffer =>
  head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? head.subarray(3) : head;

/** The beginning, with at least one character that is not blank when there is one, and what follows. */
export async function peek(bytes: AsyncIterable<Buffer>): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
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
export function firstOf(bytes: Buffer): string | undefined {
  const first = bytes.find((byte) => !BLANKS.includes(byte));
  return first === undefined ? undefined : String.fromCharCode(first);
}
