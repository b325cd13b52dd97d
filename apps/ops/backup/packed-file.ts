import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Failure } from "../terminal/failure.ts";

/** Only the owner may read it: it has hashes of keys and e-mail addresses. */
const OWNER_ONLY = 0o600;
/** The fastest level: the higher ones take longer than Elasticsearch needs to read. */
const LEVEL = 1;

/**
 * Writes text to a new file, packed with gzip. The file gets its name when it is complete and on disk. An incomplete file never
 * has this name. Throws a Failure when the file already exists.
 */
export async function writePackedFile(path: string, text: AsyncIterable<string>, signal: AbortSignal): Promise<number> {
  await assertFree(path);
  const partial = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.partial`);
  const output = createWriteStream(partial, { flags: "wx", mode: OWNER_ONLY, flush: true });
  try {
    await pipeline(Readable.from(text, { objectMode: true }), createGzip({ level: LEVEL }), output, { signal });
    await rename(partial, path);
    return (await stat(path)).size;
  } catch (error) {
    await rm(partial, { force: true });
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !["open", "write", "rename"].includes(syscall ?? "")) throw error;
    throw new Failure(`Can't write to ${path}: ${message}. Nothing was written.`);
  }
}

/** Writes text to a stream, packed with gzip. */
export const writePacked = (output: Writable, text: AsyncIterable<string>, signal: AbortSignal): Promise<void> =>
  pipeline(Readable.from(text, { objectMode: true }), createGzip({ level: LEVEL }), output, { signal, end: false });

/** Throws a Failure when there is a file of that name. */
export async function assertFree(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Failure(`${path} already exists. Give another name; backups never overwrite a file.`);
}
