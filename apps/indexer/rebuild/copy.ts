import type { ReadRebuild } from "@tranche/shared/rebuild/state";
import type { StoredRecord } from "@tranche/shared/records/stored";
import { READ_MODELS } from "@tranche/shared/search/indices";
import { searchAll } from "@tranche/shared/search/search-all";
import { pMapIterable } from "p-map";
import { chunks } from "../jobs/chunks.ts";
import { deriveFrom, documentLetter } from "../jobs/derive.ts";
import { type Material, readFamilies } from "../read/material.ts";
import { publish } from "../write/publish.ts";
import { countOf } from "./pages.ts";
import type { RebuildParts } from "./rebuild.ts";

/** Companies whose documents, and those of their rounds, are derived and written together. */
const PAGE_SIZE = 400;
/** Companies that are read together: each search for the next ones looks at all of them, so it had better find many. */
const BLOCK_SIZE = 5000;
/** Pages under way at once: one is read and derived here while another is written there. */
const LANES = 4;
/**
 * Pages that may be through before the one that the cursor waits for: a bulk that the engine takes to write its buffer out lasts
 * seconds, and the others need not wait for it. So many are copied again after a kill, at most.
 */
const PAGES_AHEAD = 32;
/** Investors that are kept from page to page, which bounds memory, … */
const MAX_INVESTORS = 30_000;
/** … and blocks that share a ticket: the older it is, the more of what is written meanwhile is derived in vain. */
const MAX_BLOCKS = 20;

/**
 * What is derived under one ticket. It is taken before any of the records is read, so a write that is refreshed after that has a
 * higher one; and what one page has read of investors, who are in many rounds, holds for the others.
 */
type Stretch = { ticket: number; investors: Material["investors"]; blocks: number };

/**
 * Fills the new indices from the records, company by company, after the cursor that the rebuild has kept: a company's document and
 * those of its rounds are made of the same records. What is written behind the cursor meanwhile comes by the ordinary way, for the
 * new indices are targets by now.
 */
export async function copy(parts: RebuildParts, start: ReadRebuild): Promise<ReadRebuild> {
  let read = start;
  const counts = await Promise.all(READ_MODELS.map((model) => countOf(parts, model)));
  read = await parts.rebuilds.save(read, { expected: counts.reduce((sum, count) => sum + count, 0) });

  const write = (page: Page) => copyPage(parts, read.rebuild.indices, page);
  const pages = pagesAfter(parts, read.rebuild.cursor);
  for await (const { last, size } of pMapIterable(pages, write, { concurrency: LANES, backpressure: PAGES_AHEAD })) {
    read = await parts.rebuilds.save(read, { cursor: last, written: read.rebuild.written + size });
    await parts.onProgress(read.rebuild.written / Math.max(1, read.rebuild.expected));
  }
  return read;
}

/** Companies that stand next to each other by id, deleted ones too; `after` is the id before the first. */
type Page = { companies: readonly StoredRecord<"company">[]; after: string | null; stretch: Stretch };

async function* pagesAfter(parts: RebuildParts, cursor: string | null): AsyncGenerator<Page> {
  let stretch: Stretch | undefined;
  for (let after = cursor; ;) {
    if (!stretch || stretch.blocks >= MAX_BLOCKS || stretch.investors.size >= MAX_INVESTORS) {
      stretch = { ticket: await parts.tickets.take(), investors: new Map(), blocks: 0 };
    }
    stretch.blocks++;
    const block = await blockAfter(parts, after);
    if (!block) return;
    for (const companies of chunks(block, PAGE_SIZE)) {
      yield { companies, after, stretch };
      after = companies.at(-1)!.id;
    }
  }
}

async function blockAfter(parts: RebuildParts, after: string | null): Promise<StoredRecord<"company">[] | undefined> {
  const pages = searchAll<StoredRecord<"company">>(parts.client, {
    index: parts.names.record("company"),
    query: after === null ? { match_all: {} } : { range: { id: { gt: after } } },
    sort: ["id"],
    source: true,
    pageSize: BLOCK_SIZE,
  });
  for await (const page of pages) return page;
  return undefined;
}

async function copyPage(
  parts: RebuildParts,
  indices: ReadRebuild["rebuild"]["indices"],
  { companies, after, stretch }: Page,
): Promise<{ last: string; size: number }> {
  const material = await readFamilies(parts, { companies, after }, stretch.investors);
  const touched = {
    rounds: new Set(material.rounds.keys()),
    companies: new Set(companies.map((company) => company.id)),
  };
  const { documents, letters } = deriveFrom(parts, touched, material);
  const written = READ_MODELS.map(async (model) => {
    // A document that has nothing to show need not be there.
    const shown = documents[model].filter(({ document }) => !("gone" in document));
    const { rejected } = await publish(parts, model, [indices[model]], stretch.ticket, shown, { refresh: false });
    letters.push(...rejected.map(({ id, reason }) => documentLetter(model, id, reason)));
    return documents[model].length;
  });
  const sizes = await Promise.all(written);
  await parts.bury(letters);
  return { last: companies.at(-1)!.id, size: sizes.reduce((sum, size) => sum + size, 0) };
}
