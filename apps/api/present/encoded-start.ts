import { promisify } from "node:util";
import { brotliCompress, constants, crc32, gzip } from "node:zlib";
import { BROTLI_OPTIONS, type Encoded } from "./encoded.ts";

/** An uncompressed meta-block of brotli, and a stored block of gzip, hold this much at most. */
const MAX_END_BYTES = 65_535;

/** The last, empty meta-block of a brotli stream. */
const BROTLI_END = Buffer.of(3);

/**
 * Bytes that many replies begin with, compressed once for each encoding. A reply adds its own short end, uncompressed, in a block of its
 * own: the result is one stream, which costs no compression.
 */
export function encodedStart(start: Buffer): (end: Buffer) => Encoded {
  const startIn = { br: once(() => startOfBrotli(start)), gzip: once(() => startOfGzip(start)) };
  const sum = once(() => crc32(start));
  return (end) => async (encoding) => {
    if (end.length === 0 || end.length > MAX_END_BYTES) throw new RangeError(`an end of ${end.length} bytes`);
    if (encoding === "br") return Buffer.concat([await startIn.br(), brotliHeader(end), end, BROTLI_END]);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(end, sum()), 0);
    trailer.writeUInt32LE((start.length + end.length) % 2 ** 32, 4);
    return Buffer.concat([await startIn.gzip(), gzipHeader(end), end, trailer]);
  };
}

/** A flush ends the stream so far with a whole byte, and leaves it open. */
const startOfBrotli = (bytes: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, { ...BROTLI_OPTIONS, finishFlush: constants.BROTLI_OPERATION_FLUSH });
const startOfGzip = (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { finishFlush: constants.Z_SYNC_FLUSH });

/** RFC 7932, 9.2: not the last meta-block, a length of four nibbles, uncompressed; from the lowest bit on. */
function brotliHeader({ length }: Buffer): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE(((length - 1) << 3) | (1 << 19), 0, 3);
  return header;
}

/** RFC 1951, 3.2.4: the last block, stored; its length, and the complement of it. */
function gzipHeader({ length }: Buffer): Buffer {
  const header = Buffer.of(1, 0, 0, 0, 0);
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(length ^ 0xffff, 3);
  return header;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
