import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Bytes under a Content-Encoding. */
export type Encoded = (encoding: "br" | "gzip") => Promise<Buffer>;

/** About as fast as gzip, and smaller. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Compresses bytes when somebody asks for them so, and once only: whoever comes next gets the same. */
export function encodedOnce(bytes: Buffer): Encoded {
  const made = new Map<"br" | "gzip", Promise<Buffer>>();
  return (encoding) => {
    const ready = made.get(encoding);
    if (ready) return ready;
    const fresh = encoding === "br" ? promisify(brotliCompress)(bytes, BROTLI_OPTIONS) : promisify(gzip)(bytes);
    // Copied out of the larger block that zlib writes to, which it would keep in memory.
    const copied = fresh.then((compressed) => Buffer.from(compressed));
    made.set(encoding, copied);
    return copied;
  };
}
