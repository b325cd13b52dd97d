import { isUtf16 } from "./decoded.ts";
import { SourceError } from "./item.ts";

/** The bytes of a file that are needed to recognise it. */
export const SIGNATURE_BYTES = 8;

const SPREADSHEET = "save the sheet as CSV";
const MARKUP_BYTES = 64;
const PACKED = "unpack it first; only gzip is unpacked here";

/** The first bytes of other kinds of files, and what to do about them. */
const SIGNATURES: readonly (readonly [bytes: string, text: string])[] = [
  ["504b0304", `is an Excel workbook (.xlsx) or another zip archive: ${SPREADSHEET}, or unpack the archive`],
  ["d0cf11e0a1b11ae1", `is an old Excel workbook (.xls) or another Office document: ${SPREADSHEET}`],
  ["255044462d", "is a PDF: expected NDJSON, a JSON array, or CSV with a mapping"],
  ["1f8b", "is packed with gzip twice: unpack it once"],
  ["28b52ffd", `is packed with zstd: ${PACKED}`],
  ["425a68", `is packed with bzip2: ${PACKED}`],
  ["fd377a585a00", `is packed with xz: ${PACKED}`],
  ["377abcaf271c", `is a 7z archive: ${PACKED}`],
  ["50415231", "is Parquet: expected NDJSON, a JSON array, or CSV with a mapping"],
];

/**
 * Throws a SourceError for a file that is not text, or not in the encoding that is expected: the mapping's for CSV, else UTF-8.
 * `head`: the first bytes of the unpacked file.
 */
export function assertText(head: Buffer, encoding?: string): void {
  const begins = head.toString("hex");
  const other = SIGNATURES.find(([bytes]) => begins.startsWith(bytes));
  if (other) throw new SourceError(other[1]);
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doc|html|\?xml|table)/i.test(head.toString("latin1", 0, MARKUP_BYTES)))
    throw new SourceError(`is HTML or XML, also where its name ends in .xls: ${SPREADSHEET}`);
  if ((encoding === undefined || !isUtf16(encoding)) && looksLikeUtf16(head))
    throw new SourceError(
      encoding === undefined
        ? "is UTF-16, expected UTF-8: `iconv -f UTF-16 -t UTF-8 FILE` converts it"
        : `is UTF-16, but the mapping says ${encoding}: set "encoding": "utf16" there`,
    );
}

/** A byte order mark, or a zero as every other byte. */
function looksLikeUtf16(head: Buffer): boolean {
  if (head.length < 2) return false;
  const mark = head.readUInt16BE(0);
  const zeros = (from: number) => head.length >= 4 && head[from] === 0 && head[from + 2] === 0;
  return mark === 0xfeff || mark === 0xfffe || (zeros(0) && head[1] !== 0) || (zeros(1) && head[0] !== 0);
}
