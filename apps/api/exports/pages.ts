import { type ExportSearch, exportPage } from "../query/export.ts";
import type { PointInTime, SortedPage } from "../search/point-in-time.ts";

/** The result of an export: the exact number of its rows, and the rows in pages. */
export type ExportPages<Document> = { count: number; pages: AsyncGenerator<Document[]> };

/**
 * Reads the first page, which counts all rows. The others are read one ahead: while a page is written to the reader, Elasticsearch
 * works on the next one, and no more than these two are in memory.
 */
export async function readPages<Document>(
  pointInTime: PointInTime,
  search: ExportSearch,
  size: number,
  signal: AbortSignal,
): Promise<ExportPages<Document>> {
  const first = await pointInTime.page<Document>(exportPage(search, size), signal);

  async function* pages(): AsyncGenerator<Document[]> {
    let page: SortedPage<Document> = first;
    let left = first.count - first.documents.length;
    for (;;) {
      const next = left > 0 ? pointInTime.page<Document>(exportPage(search, size, page.last), signal) : undefined;
      // It may fail while the reader still takes this page; it is awaited below.
      next?.catch(() => {});
      yield page.documents;
      if (!next) return;
      page = await next;
      // Never happens in a point in time. A short export is not to end like a whole one.
      if (page.documents.length === 0) throw new Error(`an export ended ${left} rows too early`);
      left -= page.documents.length;
    }
  }
  return { count: first.count, pages: pages() };
}
