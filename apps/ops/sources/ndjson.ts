import { isUtf8 } from "node:buffer";
import { MAX_ITEM_BYTES, refusal, SourceError, TOO_LONG, type SourceItem } from "./item.ts";

const NEWLINE = 10;

/** Reads one JSON value a line; blank lines are passed over. A line that is none is refused, and reading goes on. */
export async function* readNdjson(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceItem> {
  for await (const line of readLines(bytes)) {
    const item = readLine(line);
    if (item) yield item;
  }
}

/** `cut`: why the file ends in the middle of this line. `tooLong`: only the line's beginning is kept. */
type Line = { number: number; bytes: Buffer; tooLong: boolean; cut?: string };

function readLine({ number, bytes, tooLong, cut }: Line): SourceItem | undefined {
  const place = { line: number };
  if (tooLong) return refusal(place, TOO_LONG, bytes.toString("utf8"));
  if (cut !== undefined) return refusal(place, `the line is not whole: ${cut}`, bytes.toString("utf8"));
  if (!isUtf8(bytes)) return refusal(place, "is not valid UTF-8", bytes.toString("utf8"));
  const raw = bytes.toString("utf8").trim();
  if (raw === "") return undefined;
  try {
    return { ok: true, place, values: [JSON.parse(raw)], raw };
  } catch (error) {
    return refusal(place, `is not JSON: ${(error as Error).message}`, raw);
  }
}

/** Splits into lines of bounded length. An error of the source comes after the half line before it. */
async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer) => {
    if (length <= MAX_ITEM_BYTES) parts.push(part);
    length += part.length;
  };
  const take = (): Line => {
    const line = {
      number,
      bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts),
      tooLong: length > MAX_ITEM_BYTES,
    };
    [parts, length] = [[], 0];
    number++;
    return line;
  };

  try {
    for await (const chunk of source) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        keep(chunk.subarray(start, end));
        yield take();
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    if (length > 0) yield { ...take(), cut: error.message };
    throw error;
  }
  if (length > 0) yield take();
}
