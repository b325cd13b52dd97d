import iconv from "iconv-lite";

/** The mark in decoded text for a byte that is not valid UTF-8: valid text never has a lone surrogate. */
const INVALID = "\udc80";
const REPLACEMENT_BYTES = Buffer.from("\ufffd");
const LONGEST_SEQUENCE = 4;

/** Text of a file in some encoding, without its byte order mark. */
export type Decoded = {
  texts: AsyncIterable<string>;
  /** Whether all bytes of a part of the text were valid. A U+FFFD that the file itself holds is. */
  isValid: (part: string) => boolean;
};

export function decode(bytes: AsyncIterable<Buffer>, encoding: string): Decoded {
  return isUnicode(encoding)
    ? {
        texts: withoutMark(isUtf8(encoding) ? decodedUtf8(bytes) : decodedBy(bytes, encoding)),
        isValid: (part) => part.isWellFormed(),
      }
    : { texts: decodedBy(bytes, encoding), isValid: (part) => !part.includes("\ufffd") };
}

export const isUtf8 = (encoding: string): boolean => /^(utf-?8|cesu-?8)$/i.test(encoding);
export const isUtf16 = (encoding: string): boolean => /^(utf-?(16|32)|ucs-?[24])/i.test(encoding);
const isUnicode = (encoding: string) => isUtf8(encoding) || isUtf16(encoding);

async function* decodedBy(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(encoding);
  for await (const chunk of bytes) {
    const text = decoder.write(chunk);
    if (text !== "") yield text;
  }
  const rest = decoder.end();
  if (rest) yield rest;
}

async function* decodedUtf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const all = begun.length > 0 ? Buffer.concat([begun, chunk]) : chunk;
    const end = all.length - unfinished(all);
    begun = all.subarray(end);
    if (end > 0) yield utf8Text(all.subarray(0, end));
  }
  if (begun.length > 0) yield utf8Text(begun);
}

/** Bytes at the end that are the beginning of a character. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back < LONGEST_SEQUENCE && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

/** The decoder writes U+FFFD for invalid bytes, so those that the file holds are taken out first. */
function utf8Text(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!text.includes("\ufffd")) return text;
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const next = bytes.indexOf(REPLACEMENT_BYTES, from);
    parts.push(bytes.toString("utf8", from, next === -1 ? bytes.length : next).replaceAll("\ufffd", INVALID));
    if (next === -1) return parts.join("\ufffd");
    from = next + REPLACEMENT_BYTES.length;
  }
}

async function* withoutMark(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let first = true;
  for await (const text of texts) {
    yield first && text.startsWith("\ufeff") ? text.slice(1) : text;
    first = false;
  }
}
