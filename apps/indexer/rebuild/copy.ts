import { READ_MODELS } from "@tranche/shared/search/indices";
import type { ReadRebuild } from "@tranche/shared/rebuild/state";
import { deriveFrom } from "../jobs/derive.ts";
import { inOrder } from "../jobs/in-order.ts";
import { type Material, readMaterial } from "../read/material.ts";
import { publish } from "../write/publish.ts";
import { countOf, pagesOf } from "./pages.ts";
import type { RebuildParts } from "./rebuild.ts";

/** Companies whose documents, and those of their rounds, are derived and written together. */
const PAGE_SIZE = 500;
/** Pages under way at once: one is read and derived here while another is written there. */
const LANES = 3;
/** Investors that are kept from page to page, which bounds memory, … */
const MAX_INVESTORS = 20_000;
/** … and pages that share a ticket: the older it is, the more of what is written meanwhile is derived in vain. */
const MAX_PAGES = 40;

/**
 * Pages that are derived under one ticket. It is taken before any of their records is read, so a write that is refreshed after
 * that has a higher one; and what one page has read of investors, who are in many rounds, holds for the others.
 */
type Stretch = { ticket: Promise<number>; investors: Material["investors"]; pages: number };

/**
 * Fills the new indices from the records, company by company, after the cursor that the rebuild has kept: a company's document and
 * those of its rounds are made of the same records. What is written behind the cursor meanwhile comes by the ordinary way, for the
 * new indices are targets by now.
 */
export async function copy(parts: RebuildParts, start: ReadRebuild): Promise<ReadRebuild> {
  let read = start;
  const counts = await Promise.all(READ_MODELS.map((model) => countOf(parts, model)));
  read = await parts.rebuilds.save(read, { expected: counts.reduce((sum, count) => sum + count, 0) });

  const pages = stretched(parts, pagesOf(parts, "signals", read.rebuild.cursor, PAGE_SIZE));
  const write = (page: StretchedPage) => copyPage(parts, read.rebuild.indices, page);
  for await (const { last, size } of inOrder(pages, LANES, write)) {
    read = await parts.rebuilds.save(read, { cursor: last, written: read.rebuild.written + size });
    await parts.onProgress(read.rebuild.written / Math.max(1, read.rebuild.expected));
  }
  return read;
}

type StretchedPage = { companies: Set<string>; last: string; stretch: Stretch };

async function* stretched(parts: RebuildParts, pages: ReturnType<typeof pagesOf>): AsyncGenerator<StretchedPage> {
  let stretch: Stretch | undefined;
  for await (const { touched, last } of pages) {
    if (!stretch || stretch.pages >= MAX_PAGES || stretch.investors.size >= MAX_INVESTORS) {
      stretch = { ticket: parts.tickets.take(), investors: new Map(), pages: 0 };
    }
    stretch.pages++;
    yield { companies: touched.companies, last, stretch };
  }
}

async function copyPage(
  parts: RebuildParts,
  indices: ReadRebuild["rebuild"]["indices"],
  { companies, last, stretch }: StretchedPage,
): Promise<{ last: string; size: number }> {
  const ticket = await stretch.ticket;
  const read = await readMaterial(parts, { rounds: new Set(), companies }, stretch.investors);
  const rounds = new Map([...read.roundsOfCompany.values()].flat().map((round) => [round.id, round]));
  const { documents, letters } = deriveFrom(parts, { rounds: new Set(rounds.keys()), companies }, { ...read, rounds });
  const written = READ_MODELS.map(async (model) => {
    // A document that has nothing to show need not be there.
    const shown = documents[model].filter(({ document }) => !("gone" in document));
    const { rejected } = await publish(parts, model, [indices[model]], ticket, shown, { refresh: false });
    letters.push(...rejected.map(({ id, reason }) => ({ what: { kind: "document" as const, model, id }, reason })));
    return documents[model].length;
  });
  const sizes = await Promise.all(written);
  await parts.bury(letters);
  return { last, size: sizes.reduce((sum, size) => sum + size, 0) };
}
