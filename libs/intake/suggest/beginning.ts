import { SourceError } from "../sources/item.ts";
import { isDocument, MAX_DOCUMENT_BYTES } from "../sources/mapped-json.ts";

/** The first bytes of a file, unpacked, which a mapping is suggested from. */
export type Beginning = { bytes: Buffer; isWhole: boolean };

const SAMPLE_BYTES = 256 * 1024;
/** Complete rows end at most so many bytes before the end of what was read. */
const LONG_ROW_BYTES = 64 * 1024;

/**
 * Reads no more of a file than a suggestion needs: its beginning, and of one JSON object all. `isCut`: the bytes themselves are only the
 * beginning of a file. Throws a SourceError when they can't be read, or are a part of one JSON object.
 */
export async function beginningOf(
  chunks: AsyncIterable<Buffer>,
  { isCut = false, most = MAX_DOCUMENT_BYTES }: { isCut?: boolean; most?: number } = {},
): Promise<Beginning> {
  const parts: Buffer[] = [];
  let [length, wanted] = [0, SAMPLE_BYTES];
  try {
    for await (const chunk of chunks) {
      parts.push(chunk);
      length += chunk.length;
      if (length >= SAMPLE_BYTES && wanted === SAMPLE_BYTES && isDocument(Buffer.concat(parts))) wanted = most;
      if (length >= wanted) break;
    }
  } catch (error) {
    // A cut-off gzip file is read as far as it goes.
    if (!isCut || length === 0 || !(error instanceof SourceError)) throw error;
  }
  const all = Buffer.concat(parts);
  if (length < wanted && !isCut) return { bytes: all, isWhole: true };
  if (isDocument(all))
    throw new SourceError(
      `is one JSON object of more than ${Math.floor(wanted / 1024)} KiB, expected an array or one object per line`,
    );
  return { bytes: all.subarray(0, endOfRows(all)), isWhole: false };
}

/** Where the last complete row ends. A line end within quotes is part of a field: the quotes before it are an odd number. */
function endOfRows(bytes: Buffer): number {
  const quotes = bytes.reduce((sum, byte) => sum + (byte === QUOTE ? 1 : 0), 0);
  let odd = quotes % 2 === 1;
  let last = 0;
  for (let at = bytes.length - 1; at > bytes.length - LONG_ROW_BYTES && at > 0; at--) {
    if (bytes[at] === QUOTE) odd = !odd;
    if (bytes[at] !== LF && bytes[at] !== CR) continue;
    last ||= at + 1;
    if (!odd) return at + 1;
  }
  return last === 0 ? bytes.length : last;
}

const [LF, CR, QUOTE] = [0x0a, 0x0d, 0x22];
