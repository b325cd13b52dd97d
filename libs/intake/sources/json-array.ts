import { MAX_ITEM_BYTES, refusal, SourceError, type SourceItem } from "./item.ts";
import { readValue } from "./json-value.ts";

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Streams the elements of one JSON array; `bytes` begin at its bracket or with blanks. An invalid element is refused and reading
 * continues if its quotes and brackets are closed. Otherwise the rest of the array is one refusal with the number of the element.
 */
export async function* readJsonArray(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceItem> {
  let begun = false;
  let ended = false;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let element = 1;
  let parts: Buffer[] = [];
  let length = 0;

  const keep = (part: Buffer) => {
    if (length <= MAX_ITEM_BYTES) parts.push(part);
    length += part.length;
  };
  const take = (isLast: boolean): SourceItem | undefined => {
    const location = { element: element++ };
    const item = readValue(location, { bytes: Buffer.concat(parts), tooLong: length > MAX_ITEM_BYTES });
    [parts, length] = [[], 0];
    const isEmptyArray = isLast && location.element === 1;
    return item || isEmptyArray ? item : refusal(location, "is empty: one comma too many");
  };
  /** Whether an element ends at this byte. */
  const ends = (byte: number): boolean => {
    if (inString) {
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) inString = false;
      return false;
    }
    if (byte === QUOTE) inString = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
    else if (depth === 0) return byte === COMMA || byte === CLOSE_ARRAY;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    return false;
  };

  try {
    for await (const chunk of bytes) {
      let start = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!;
        if (!begun || ended) {
          if (BLANKS.has(byte)) continue;
          if (ended) {
            yield refusal({}, "has more after the end of its array, which was not read");
            return;
          }
          begun = true;
          start = at + 1;
        } else if (ends(byte)) {
          keep(chunk.subarray(start, at));
          start = at + 1;
          ended = byte === CLOSE_ARRAY;
          const item = take(ended);
          if (item) yield item;
        }
      }
      if (begun && !ended) keep(chunk.subarray(start));
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    if (!ended) yield refusal({ element }, `the element is not whole: ${error.message}`);
    throw error;
  }
  if (!ended) yield refusal({ element }, "the array is not closed; the rest was not read", beginning());

  function beginning(): string {
    return Buffer.concat(parts).toString("utf8").trim();
  }
}
