import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { gunzip } from "./gunzip.ts";
import { SourceError } from "./item.ts";

/** A file being read, unpacked. */
export type Input = {
  bytes: AsyncIterable<Buffer>;
  /** Size in bytes as it lies on disk; undefined for standard input. */
  size: number | undefined;
  /** Bytes read so far, as they lie on disk. */
  read(): number;
};

const READ_BYTES = 64 * 1024;
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/** Opens a file, or standard input for `-`; gzip is told by its first bytes, not by a name. Throws a SourceError when it can't. */
export async function openInput(path: string, stdin: Readable): Promise<Input> {
  let read = 0;
  const size = path === "-" ? undefined : await sizeOf(path);
  const stream = path === "-" ? stdin : createReadStream(path, { highWaterMark: READ_BYTES });

  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of stream) {
        const bytes = chunk as Buffer;
        read += bytes.length;
        yield bytes;
      }
    } catch (error) {
      throw new SourceError(`can't be read: ${(error as Error).message}`);
    }
  }
  return { bytes: unpacked(counted()), size, read: () => read };
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new SourceError("is a folder, expected a file");
    return found.size;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    throw new SourceError(code === "ENOENT" ? "no such file" : `can't be read: ${(error as Error).message}`);
  }
}

async function* unpacked(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < GZIP_MAGIC.length) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const isGzip = GZIP_MAGIC.every((byte, index) => head[index] === byte);
  const all = startingWith(head, chunks);
  yield* isGzip ? gunzip(all) : all;
}

/** Puts back what was looked at. */
export async function* startingWith(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}
