import { MAX_ITEM_BYTES, refusal, SourceError, type SourceItem } from "./item.ts";
import { type Piece, readValue } from "./json-value.ts";

const NEWLINE = 10;

/** Reads one JSON value per line; blank lines are passed over. A line that is not one is refused, and reading continues. */
export async function* readNdjson(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceItem> {
  for await (const line of readLines(bytes)) {
    const item = readLine(line);
    if (item) yield item;
  }
}

/** `cut`: why the file ends in the middle of this line. */
type Line = Piece & { number: number; cut?: string };

function readLine(line: Line): SourceItem | undefined {
  const location = { line: line.number };
  return line.cut === undefined || line.tooLong
    ? readValue(location, line)
    : refusal(location, `the line is not whole: ${line.cut}`, line.bytes.toString("utf8"));
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
