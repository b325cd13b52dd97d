import { createHash } from "node:crypto";
import { PassThrough } from "node:stream";
import { openInput } from "@tranche/intake/sources/input";
import { SourceError } from "@tranche/intake/sources/item";
import { Failure, Interrupted, WrongUsage } from "../terminal/failure.ts";
import { BadBackup, type BackupEnd, type BackupHeader, type BackupLine, headerOf, lineOf } from "./format.ts";

const NEWLINE = 10;
/** A document is smaller by far. Without a bound, some MB of gzip would fill the memory with one line. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** A backup that was read to its end without finding anything wrong. */
export type CheckedBackup = { header: BackupHeader; end: BackupEnd["end"] };

type ReadOptions = {
  signal: AbortSignal;
  /** Hears how many bytes of the file were read, of how many. */
  onRead?: (bytes: number, size: number) => void;
};

/**
 * Reads the documents of a backup, and returns what its header and its end say. Throws a Failure with the file's name where it is
 * truncated, damaged, or of a newer version; `stores` are those that this version knows. Nothing is to be written before one reading
 * has come to the end.
 */
export async function* readBackup(
  path: string,
  stores: ReadonlySet<string>,
  { signal, onRead }: ReadOptions,
): AsyncGenerator<BackupLine, CheckedBackup> {
  if (path === "-") {
    throw new WrongUsage(
      "A backup is read twice, first to check it, so it can't come from standard input. Give a file.",
    );
  }
  const hash = createHash("sha256");
  const counts: Record<string, number> = {};
  let header: BackupHeader | undefined;
  let end: BackupEnd["end"] | undefined;
  let number = 0;
  try {
    const input = await openInput(path, new PassThrough(), { interrupted: signal });
    for await (const bytes of linesOf(input.bytes)) {
      number++;
      if (end) throw new BadBackup(`has lines after its end, from line ${number} on`);
      const text = bytes.toString();
      if (!header) header = headerOf(text);
      else {
        const line = lineOf(text, number);
        if ("end" in line) {
          ({ end } = line);
          continue;
        }
        if (!stores.has(line.store)) {
          throw new BadBackup(
            `has documents of '${line.store}' (line ${number}), which this version does not know. It was made by Tranche ${header.version}: restore it with that version or a later one`,
          );
        }
        counts[line.store] = (counts[line.store] ?? 0) + 1;
        yield line;
      }
      hash.update(bytes);
      if (number % 1000 === 0) onRead?.(input.read(), input.size!);
    }
    if (!header) throw new BadBackup("is empty: expected a backup of `ops backup` or `ops export --all`");
    if (!end) throw new BadBackup(`is truncated after line ${number}: a backup ends with a line of its counts`);
    const missing = differenceOf(end.documents, counts);
    if (missing) throw new BadBackup(`is damaged: ${missing}`);
    if (hash.digest("hex") !== end.sha256) throw new BadBackup("is damaged: its content does not fit its checksum");
    return { header, end };
  } catch (error) {
    if (signal.aborted) throw new Interrupted("Interrupted.");
    if (error instanceof SourceError) throw new Failure(`${path} ${verb(error.message)}${error.message}.`);
    if (error instanceof BadBackup) throw new Failure(`${path} ${error.message}.`);
    throw error;
  }
}

/** Reads a backup to its end, to see that it is whole. */
export async function checkBackup(
  path: string,
  stores: ReadonlySet<string>,
  options: ReadOptions,
): Promise<CheckedBackup> {
  const reading = readBackup(path, stores, options);
  for (;;) {
    const next = await reading.next();
    if (next.done) return next.value;
  }
}

/** `is a folder` and `can't be read` follow the name as they are; `no such file` does not. */
const verb = (message: string): string => (/^(is|can't) /.test(message) ? "" : "can't be read: ");

function differenceOf(said: Record<string, number>, found: Record<string, number>): string | undefined {
  for (const store of new Set([...Object.keys(said), ...Object.keys(found)])) {
    const [expected, got] = [said[store] ?? 0, found[store] ?? 0];
    if (expected !== got) return `it has ${got} documents of '${store}', and its end says ${expected}`;
  }
  return undefined;
}

/** Lines with their newlines; the last one may lack it. Throws where one is longer than the bound. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let waiting = 0;
  let number = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      const rest = chunk.subarray(start, at + 1);
      yield parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
      parts = [];
      waiting = 0;
      number++;
      start = at + 1;
    }
    if (start === chunk.length) continue;
    parts.push(chunk.subarray(start));
    waiting += chunk.length - start;
    if (waiting > MAX_LINE_BYTES)
      throw new BadBackup(`is damaged: line ${number} is longer than ${MAX_LINE_BYTES / 2 ** 20} MiB`);
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}
