import type { DeadLetter } from "@tranche/shared/queue/queues";
import type { ReadRebuild } from "@tranche/shared/rebuild/state";
import { FIRST_STAGE, type FirstStage, READ_MODELS } from "@tranche/shared/search/index-names";
import type { Ticket } from "@tranche/shared/ticket/ticket-clock";
import { pMapIterable } from "p-map";
import { chunks } from "@tranche/shared/search/chunks";
import { deadLetterOfDocument } from "../pipeline/dead-letters.ts";
import { derive } from "../pipeline/derive-batch.ts";
import { countOf, idsOf } from "../pipeline/pages.ts";
import { assembleSources, type CompanyRange, type FetchedRange, fetchRange } from "../read/company-range.ts";
import type { Sources } from "../read/sources.ts";
import { type Outgoing, outgoing, writeTo } from "../write/publish.ts";
import { copyInvestors } from "./copy-investors.ts";
import type { RebuildParts } from "./parts.ts";
import { shown } from "./shown.ts";

/** Companies per page: their documents and those of their rounds are derived and written together. */
const PAGE_SIZE = 400;
/** Pages that are read at once, and pages that may wait, so that the engine is busy while one is derived. */
const READS = 3;
const READ_AHEAD = 6;
/** Pages in work at once: one is derived here while the engine writes others. */
const WRITES = 8;
/**
 * Pages that may be finished before the one that the cursor waits for. A bulk during which the engine flushes its buffer takes
 * seconds, and the others need not wait for it. After a kill, so many pages are copied again, plus those of `KEEP_EVERY_MS`.
 */
const PAGES_AHEAD = 32;
/** How often the cursor is saved. Saving waits behind bulks, so saving it for each page would hold up the pages. */
const KEEP_EVERY_MS = 1000;
/** Investors that are kept from page to page, which bounds memory … */
const MAX_INVESTORS = 30_000;
/** … and pages that share a ticket. The older the ticket, the more documents are superseded meanwhile and derived in vain. */
const MAX_PAGES = 250;

/**
 * The work under one ticket. The ticket is taken before any record is read, so a write that is refreshed later has a higher one.
 * Investors that one page has read are valid for the other pages, too.
 */
type Stretch = { ticket: Ticket; investors: Sources["investors"]; pages: number };

/**
 * Fills the new indices from the records, company by company, from the saved cursor on. A company's document and those of its rounds
 * are derived from the same records. Investors come last. Writes before the cursor arrive by the pipeline, because the new indices are targets already.
 */
export async function copy(parts: RebuildParts, start: ReadRebuild): Promise<ReadRebuild> {
  let read = start;
  const counts = await Promise.all(READ_MODELS.map((model) => countOf(parts, model)));
  read = await parts.rebuilds.save(read, { expected: counts.reduce((sum, count) => sum + count, 0) });

  const pages = pMapIterable(
    pagesAfter(parts, read.rebuild.cursor),
    async (page: Page) => ({ ...page, fetched: await fetchRange(parts, page.stretch.ticket, page) }),
    { concurrency: READS, backpressure: READ_AHEAD },
  );
  const { indices } = read.rebuild;
  const copied = pMapIterable(
    pages,
    async (page: ReadPage) => writePage(parts, indices, await derivePage(parts, indices, page)),
    { concurrency: WRITES, backpressure: PAGES_AHEAD },
  );
  let { cursor, written } = read.rebuild;
  const keep = async () => {
    read = await parts.rebuilds.save(read, { cursor, written });
    await parts.onProgress(written / Math.max(1, read.rebuild.expected));
  };
  let keptAt = -Infinity;
  for await (const { last, size } of copied) {
    cursor = last;
    written += size;
    if (performance.now() - keptAt < KEEP_EVERY_MS) continue;
    await keep();
    keptAt = performance.now();
  }
  await keep();
  for await (const size of copyInvestors(parts, read.rebuild)) {
    written += size;
    await parts.onProgress(written / Math.max(1, read.rebuild.expected));
  }
  return parts.rebuilds.save(read, { written, state: "verifying" });
}

/** `size`: the number of companies, including deleted ones. */
type Page = CompanyRange & { size: number; stretch: Stretch };
type ReadPage = Page & { fetched: FetchedRange };
type Indices = ReadRebuild["rebuild"]["indices"];

async function* pagesAfter(parts: RebuildParts, cursor: string | null): AsyncGenerator<Page> {
  let stretch: Stretch | undefined;
  let after = cursor;
  for await (const ids of idsOf(parts, "company", cursor)) {
    for (const page of chunks(ids, PAGE_SIZE)) {
      if (!stretch || stretch.pages >= MAX_PAGES || stretch.investors.size >= MAX_INVESTORS) {
        stretch = { ticket: await parts.tickets.take(), investors: new Map(), pages: 0 };
      }
      stretch.pages++;
      const last = page.at(-1)!;
      yield { after, last, size: page.length, stretch };
      after = last;
    }
  }
}

type DerivedPage = { last: string; size: number; documents: Record<FirstStage, Outgoing>; deadLetters: DeadLetter[] };

/** Only bytes are kept of a page while it is written, because V8 would copy objects again and again. */
async function derivePage(parts: RebuildParts, indices: Indices, page: ReadPage): Promise<DerivedPage> {
  const { last, fetched, stretch } = page;
  const deadLetters: DeadLetter[] = [];
  const sources = await assembleSources(parts, fetched, stretch.investors);
  const made = (model: FirstStage, ids: Iterable<string>) =>
    outgoing(parts.names, indices[model], stretch.ticket, shown(derive(parts, model, ids, sources, deadLetters)));
  const documents = {
    funding: made("funding", sources.rounds.keys()),
    signals: made("signals", sources.companies.keys()),
  };
  return { last, size: page.size + sources.rounds.size, documents, deadLetters };
}

async function writePage(
  parts: RebuildParts,
  indices: Indices,
  { last, size, documents, deadLetters }: DerivedPage,
): Promise<{ last: string; size: number }> {
  const written = FIRST_STAGE.map(async (model) => {
    const { rejected } = await writeTo(parts, model, indices[model], documents[model]);
    deadLetters.push(...rejected.map(({ id, reason }) => deadLetterOfDocument(model, id, reason)));
  });
  await Promise.all(written);
  await parts.sendToDeadLetters(deadLetters);
  return { last, size };
}
