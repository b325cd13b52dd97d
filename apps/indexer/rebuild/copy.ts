import type { ReadRebuild } from "@tranche/shared/rebuild/state";
import { READ_MODELS, type ReadModel } from "@tranche/shared/search/indices";
import { deriveBatch } from "../jobs/derive.ts";
import { inOrder } from "../jobs/in-order.ts";
import { publish } from "../write/publish.ts";
import { countOf, type Page, pagesOf } from "./pages.ts";
import type { RebuildParts } from "./rebuild.ts";

const PAGE_SIZE = 1000;
/** Pages under way at once: one is read and derived here while another is written there. */
const LANES = 3;

/**
 * Fills the new indices from the records, after the cursor that the rebuild has kept. What is written behind the cursor
 * meanwhile comes by the ordinary way, for the new indices are targets by now.
 */
export async function copy(parts: RebuildParts, start: ReadRebuild): Promise<ReadRebuild> {
  let read = start;
  const counts = await Promise.all(READ_MODELS.map((model) => countOf(parts, model)));
  read = await parts.rebuilds.save(read, { expected: counts.reduce((sum, count) => sum + count, 0) });

  for (const model of READ_MODELS) {
    if (read.rebuild.copied.includes(model)) continue;
    const pages = pagesOf(parts, model, read.rebuild.cursor[model], PAGE_SIZE);
    for await (const { last, size } of inOrder(pages, LANES, (page) =>
      copyPage(parts, model, read.rebuild.indices[model], page),
    )) {
      read = await parts.rebuilds.save(read, {
        cursor: { ...read.rebuild.cursor, [model]: last },
        written: read.rebuild.written + size,
      });
      await parts.onProgress(read.rebuild.written / Math.max(1, read.rebuild.expected));
    }
    read = await parts.rebuilds.save(read, { copied: [...read.rebuild.copied, model] });
  }
  return read;
}

/** The ticket comes before the records are read: a write that is refreshed after this has a higher one. */
async function copyPage(
  parts: RebuildParts,
  model: ReadModel,
  index: string,
  page: Page,
): Promise<{ last: string; size: number }> {
  const ticket = await parts.tickets.take();
  const { documents, letters } = await deriveBatch(parts, page.touched);
  // A document that has nothing to show need not be there.
  const shown = documents[model].filter(({ document }) => !("gone" in document));
  const { rejected } = await publish(parts, model, [index], ticket, shown, { refresh: false });
  await parts.bury([
    ...letters,
    ...rejected.map(({ id, reason }) => ({ what: { kind: "document" as const, model, id }, reason })),
  ]);
  return { last: page.last, size: documents[model].length };
}
