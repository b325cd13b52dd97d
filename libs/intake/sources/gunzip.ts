import { crc32, createInflateRaw } from "node:zlib";
import { type ByteQueue, createByteQueue } from "./byte-queue.ts";
import { SourceError } from "./item.ts";
import { piecewise } from "./piecewise.ts";

export const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const HEADER_BYTES = 10;
const DEFLATE = 8;
const FLAGS = { headerChecksum: 2, extra: 4, name: 8, comment: 16 };

/** Writers that append may leave some; a file of nothing else would take a minute for 10 MB. */
const MOST_EMPTY_MEMBERS = 1000;

const CUT_OFF = "the gzip file is cut off here";
const damaged = (why: string) => new SourceError(`the gzip file is damaged here: ${why}`);

/**
 * Unpacks gzip, member by member. A truncated or damaged file yields everything up to the damage, then throws a SourceError. Bytes
 * after the last member are not read, and `warn` is called; zeros are padding.
 *
 * Node's own Gunzip treats such bytes as a damaged member and drops the end of the valid member before them.
 */
export async function* gunzip(packed: AsyncIterable<Buffer>, warn?: (text: string) => void): AsyncGenerator<Buffer> {
  const source = createByteQueue(packed, () => new SourceError(CUT_OFF));
  let empty = 0;
  do {
    await passHeader(source);
    empty = (yield* member(source)) === 0 ? empty + 1 : 0;
    if (empty > MOST_EMPTY_MEMBERS) throw damaged(`more than ${MOST_EMPTY_MEMBERS} members in a row have no content`);
    await source.passAll(0);
  } while ((await source.peek(GZIP_MAGIC.length)).equals(GZIP_MAGIC));
  if ((await source.peek(1)).length > 0)
    warn?.("has bytes after the end of the gzip data, which were not read. All data before them was read");
}

async function passHeader(source: ByteQueue): Promise<void> {
  const header = await source.take(HEADER_BYTES);
  const flags = header[3]!;
  if (header[2] !== DEFLATE) throw damaged("unknown method of compression");
  if (flags & FLAGS.extra) await source.take((await source.take(2)).readUInt16LE());
  for (const text of [FLAGS.name, FLAGS.comment]) {
    if (flags & text) await source.passThrough(0);
  }
  if (flags & FLAGS.headerChecksum) await source.take(2);
}

/** Yields the content of a member, and returns its number of bytes. */
async function* member(source: ByteQueue): AsyncGenerator<Buffer, number> {
  const inflate = createInflateRaw();
  let given = 0;
  let last: Buffer = Buffer.alloc(0);
  async function* pieces() {
    for (let chunk = await source.next(); chunk; chunk = await source.next()) {
      given += chunk.length;
      yield (last = chunk);
    }
  }
  let checksum = 0;
  let size = 0;
  try {
    for await (const part of piecewise<Buffer>(inflate, pieces())) {
      checksum = crc32(part, checksum);
      size += part.length;
      yield part;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith("Z_")) throw error;
    throw code === "Z_BUF_ERROR" ? new SourceError(CUT_OFF) : damaged(message);
  }
  source.putBack(last.subarray(last.length - (given - inflate.bytesWritten)));
  const trailer = await source.take(8);
  if (trailer.readUInt32LE(0) !== checksum) throw damaged("wrong checksum");
  if (trailer.readUInt32LE(4) !== size % 2 ** 32) throw damaged("wrong length");
  return size;
}
