import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { ALL_IDS, type IdRange } from "@tranche/shared/engines/search/id-ranges";
import { ApiError } from "../errors/api-error.ts";
import type { ExportText } from "../present/export.ts";
import { type ExportSearch, exportPage } from "../query/export.ts";
import type { ExportLimits } from "./limits.ts";
import { cutIntoRanges } from "./ranges.ts";
import type { PointInTime, SortedPage } from "../search/point-in-time.ts";

/** Rows as they are sent. */
type Chunk = { rows: number; text: string };

/** The result of an export: the exact number of its rows, and the rows in pages. */
export type ExportPages = { count: number; pages: AsyncGenerator<Chunk[]> };

/** Rows that are formatted at a time. More would keep other requests waiting, and V8 keeps longer texts apart. */
const CHUNK_ROWS = 100;

/** Pauses before a page is asked for again that Elasticsearch could not give. After that it is away. */
const RETRY_AFTER_MS = [200, 1000];

/**
 * Reads the first page, which counts all rows. The others are read one ahead: while a page is written to the reader, Elasticsearch
 * works on the next one, and no more than these two are in memory.
 */
export async function readPages<Document>(
  pointInTime: PointInTime,
  search: ExportSearch,
  text: ExportText<Document>,
  { pageRows, rangesFrom }: Pick<ExportLimits, "pageRows" | "rangesFrom">,
  signal: AbortSignal,
): Promise<ExportPages> {
  const readAfter = async (last: SortedPage<Document>["last"], range?: IdRange) => {
    const page = await pointInTime.page<Document>(exportPage(search, pageRows, last, range), signal);
    const { count, documents } = page;
    return { count, rows: documents.length, last: page.last, chunks: await chunksOf(documents, text) };
  };
  // Reassigned, not copied: the generator would keep the first page in memory until the export ends.
  let page = await readAfter(undefined);
  const { count } = page;

  async function* pages(): AsyncGenerator<Chunk[]> {
    let left = count - page.rows;
    /** Those that were not read to their end. */
    let ranges: IdRange[] | undefined;
    const readNext = async (last: SortedPage<Document>["last"]) => {
      ranges ??= count < rangesFrom ? [ALL_IDS] : await cutIntoRanges(pointInTime, search, count, signal);
      for (;;) {
        const isLast = ranges.length === 1;
        const found = await readAfter(last, ranges[0]);
        if (found.rows < pageRows && !isLast) ranges.shift();
        if (found.rows > 0 || isLast) return found;
      }
    };
    for (;;) {
      const { last } = page;
      const next = left > 0 ? retried(() => readNext(last), signal) : undefined;
      // It may fail while the reader still takes this page; it is awaited below.
      next?.catch(() => {});
      yield page.chunks;
      if (!next) return;
      page = await next;
      // Never happens in a point in time. A short export is not to end like a whole one.
      if (page.rows === 0) throw new Error(`an export ended ${left} rows too early`);
      left -= page.rows;
    }
  }
  return { count, pages: pages() };
}

/** A single refusal does not end an export that may have run for long. */
async function retried<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const ms of RETRY_AFTER_MS) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "unavailable") throw error;
      await pause(ms, undefined, { signal });
    }
  }
  return read();
}

async function chunksOf<Document>(documents: readonly Document[], text: ExportText<Document>): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for (let at = 0; at < documents.length; at += CHUNK_ROWS) {
    if (at > 0) await nextTurn();
    const some = documents.slice(at, at + CHUNK_ROWS);
    chunks.push({ rows: some.length, text: text.rows(some) });
  }
  return chunks;
}
