import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { IngestInput } from "../reading/read.ts";
import { GZIP_MAGIC } from "../sources/gunzip.ts";
import { unpacked } from "../sources/input.ts";
import { SourceError } from "../sources/item.ts";

/** A sender that is silent for so long is gone. The time in which its bytes wait here does not count. */
const SILENT_FOR_MS = 60_000;
/** A mapped document has at most 64 MiB. More bytes than this without a row are no rows. */
const MAX_ROW_BYTES = 65 * 1024 * 1024;
/** The bytes after an early answer are read up to here, so that the sender gets to read the answer. */
const MAX_IGNORED_BYTES = 16 * 1024 * 1024;
const IGNORED_FOR_MS = 1000;

/** The body of a request as an input, and what is known of it afterwards. */
export type Body = IngestInput & {
  broken: () => string | undefined;
  /** Whether it had so many bytes without a row that reading ended. */
  isTooLong: () => boolean;
  /** Reads what is left; `whole`: all of it, otherwise only so much that the sender can read the answer. */
  drain: (whole: boolean) => Promise<void>;
  /** Of the decoded bytes that were read. */
  sha256: () => string;
};

/** The body is read as fast as its rows are taken. `silentForMs`: as SILENT_FOR_MS. */
export function bodyInput(
  request: IncomingMessage,
  { file, packed, silentForMs = SILENT_FOR_MS }: { file: string; packed: boolean; silentForMs?: number },
): Body {
  // Without this, an early end of the reading would end the connection before the answer.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  const hash = createHash("sha256");
  let [raw, sinceRow] = [0, 0];
  let broken: string | undefined;
  let tooLong = false;
  let stop: AbortSignal | undefined;
  let warn: ((text: string) => void) | undefined;

  const next = async (withinMs = silentForMs): Promise<Buffer | undefined> => {
    if (stop?.aborted) throw new SourceError("was not read further");
    const silence = Promise.withResolvers<never>();
    const timer = setTimeout(() => silence.reject(new Error(`no byte came for ${withinMs / 1000} s`)), withinMs);
    const stopped = () => silence.reject(stop?.reason);
    stop?.addEventListener("abort", stopped);
    try {
      const { done, value } = await Promise.race([chunks.next(), silence.promise]);
      if (done) return undefined;
      raw += value.length;
      return value;
    } catch (error) {
      if (!stop?.aborted) broken ??= whyBroken(error as NodeJS.ErrnoException);
      throw new SourceError(`the connection broke: ${broken ?? (error as Error).message}`);
    } finally {
      clearTimeout(timer);
      stop?.removeEventListener("abort", stopped);
    }
  };
  async function* sent(): AsyncGenerator<Buffer> {
    let head: Buffer | undefined = packed ? Buffer.alloc(0) : undefined;
    for (let chunk = await next(); chunk; chunk = await next()) {
      if (head) {
        head = Buffer.concat([head, chunk]);
        if (head.length < GZIP_MAGIC.length) continue;
        if (!head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) throw notPacked();
        chunk = head;
        head = undefined;
      }
      yield chunk;
    }
    if (head && head.length > 0) throw notPacked();
  }
  async function* decoded(): AsyncGenerator<Buffer> {
    for await (const part of unpacked(sent(), (text) => warn?.(text))) {
      hash.update(part);
      sinceRow += part.length;
      if (sinceRow > MAX_ROW_BYTES) {
        tooLong = true;
        throw new SourceError("has more than 64 MiB without a row, expected rows of at most 1 MiB");
      }
      yield part;
    }
  }
  const parts = decoded();
  // Without `return`, so that what is left can be read after the reader has stopped.
  const bytes = { [Symbol.asyncIterator]: () => ({ next: () => parts.next() }) };

  return {
    file,
    name: file,
    async open(options) {
      stop = options.interrupted;
      warn = options.warn;
      const size = Number(request.headers["content-length"]);
      return { bytes, size: Number.isFinite(size) ? size : undefined, read: () => raw };
    },
    onRow: () => void (sinceRow = 0),
    broken: () => broken,
    isTooLong: () => tooLong,
    async drain(whole) {
      const [upTo, until] = [raw + MAX_IGNORED_BYTES, Date.now() + IGNORED_FOR_MS];
      const left = () => Math.max(0, until - Date.now());
      try {
        for (sinceRow = 0; whole && !tooLong && !(await parts.next()).done; sinceRow = 0);
        while (raw < upTo && left() > 0 && (await next(left())));
      } catch {
        // There is nobody left to answer, or the sender has no more for now.
      }
    },
    sha256: () => hash.copy().digest("hex"),
  };
}

const notPacked = () =>
  new SourceError("is not packed with gzip, although its Content-Encoding says so: leave that header out, or pack it");

/** Node says only `aborted`. */
const whyBroken = ({ code, message }: NodeJS.ErrnoException): string =>
  code === "ECONNRESET" ? "the sender closed it before the end of the body" : message;
