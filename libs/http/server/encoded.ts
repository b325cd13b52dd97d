import type { Transform } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";

/** Bytes under a Content-Encoding. */
export type Encoded = (encoding: "br" | "gzip") => Promise<Buffer>;

/** About as fast as gzip, and smaller. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** A window of 256 KiB instead of 4 MiB: each stream has one of its own. */
const STREAM_WINDOW_BITS = 18;

/** A stream that compresses what is written to it. */
export function encoderOf(encoding: "br" | "gzip"): Transform {
  if (encoding === "gzip") return createGzip();
  return createBrotliCompress({
    params: { ...BROTLI_OPTIONS.params, [constants.BROTLI_PARAM_LGWIN]: STREAM_WINDOW_BITS },
  });
}

const compress = (bytes: Buffer, encoding: "br" | "gzip"): Promise<Buffer> =>
  encoding === "br" ? promisify(brotliCompress)(bytes, BROTLI_OPTIONS) : promisify(gzip)(bytes);

/** Compresses bytes when they are first requested in an encoding. Later requests get the same buffer; after a failure they try again. */
export function encodedOnce(bytes: Buffer, encode = compress): Encoded {
  const made = new Map<"br" | "gzip", Promise<Buffer>>();
  return (encoding) => {
    const ready = made.get(encoding);
    if (ready) return ready;
    // A copy, because the result would keep the larger block that zlib writes to in memory.
    const copied = encode(bytes, encoding).then((compressed) => Buffer.from(compressed));
    made.set(encoding, copied);
    copied.catch(() => made.delete(encoding));
    return copied;
  };
}
