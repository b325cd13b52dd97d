import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { addAbortSignal, type Readable } from "node:stream";
import { gunzip, GZIP_MAGIC } from "./gunzip.ts";
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

export type InputOptions = {
  /** Called with what is odd about the file but costs no data. */
  warn?: (text: string) => void;
  /** Reading ends with a SourceError when it is aborted, even where standard input has nothing to read. */
  interrupted?: AbortSignal;
};

/** Opens a file, or standard input for `-`; gzip is recognised by its first bytes, not by a name. Throws a SourceError when it can't. */
export async function openInput(path: string, stdin: Readable, options: InputOptions = {}): Promise<Input> {
  let read = 0;
  const size = path === "-" ? undefined : await sizeOf(path);
  const stream = path === "-" ? stdin : createReadStream(path, { highWaterMark: READ_BYTES });
  if (options.interrupted) addAbortSignal(options.interrupted, stream);

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
  return { bytes: unpacked(counted(), options.warn), size, read: () => read };
}

/** Why a file can't be opened; undefined when it can, and for standard input. */
export const unreadable = (path: string): Promise<string | undefined> =>
  path === "-"
    ? Promise.resolve(undefined)
    : sizeOf(path).then(
        () => undefined,
        (error: Error) => error.message,
      );

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

/** Unpacks what begins as gzip does; the rest stays as it is. */
export async function* unpacked(
  chunks: AsyncIterator<Buffer> & AsyncIterable<Buffer>,
  warn?: InputOptions["warn"],
): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < GZIP_MAGIC.length) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const all = startingWith(head, chunks);
  yield* head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC) ? gunzip(all, warn) : all;
}

/** Puts back the bytes that were inspected. */
export async function* startingWith(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}
