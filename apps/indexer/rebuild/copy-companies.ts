import { setImmediate as nextLoop } from "node:timers/promises";
import type { DeadLetter } from "@tranche/shared/protocol/queue/queues";
import type { Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { FIRST_STAGE, type FirstStage } from "@tranche/shared/engines/search/index-names";
import { pMapIterable } from "p-map";
import { readKept } from "../pipeline/kept.ts";
import { settled } from "../pipeline/settled.ts";
import { createCopyStamp } from "../pipeline/stamped.ts";
import { chunks } from "@tranche/shared/engines/search/chunks";
import { deadLetterOfDocument } from "../pipeline/dead-letters.ts";
import { derive } from "../pipeline/derive-batch.ts";
import type { IdRange } from "@tranche/shared/engines/search/id-ranges";
import { idsOf } from "../pipeline/pages.ts";
import { assembleSources, type CompanyRange, type FetchedRange, fetchRange } from "../read/company-range.ts";
import { COUNTED, type SlicedWork } from "./sliced-work.ts";
import { type Outgoing, outgoing } from "../write/outgoing.ts";
import { writeTo } from "../write/publish.ts";
import { copying, type CopyParts } from "./copying.ts";
import { createCopyBatches, type CopyBatch } from "./copy-batches.ts";

/** Companies per page: their documents and those of their rounds are derived and written together. */
const PAGE_SIZE = 400;
/** For one slice: pages that are read at once, and pages that may wait, so that the engine is busy while one is derived. */
const READS = 1;
const READ_AHEAD = 1;
/** Pages of one slice in work at once: one is derived here while the engine writes the other. A process has several slices. */
const WRITES = 2;
/**
 * Pages of one slice that may be finished before the one that the cursor waits for. A bulk during which the engine flushes its buffer
 * takes seconds, and the others need not wait for it. After a kill, so many pages are copied again.
 */
const PAGES_AHEAD = 4;

/**
 * Fills the new indices from the records, company by company. A company's document and those of its rounds are derived from the same
 * records. Later writes arrive by the pipeline, because the new indices are targets already.
 */
export function copyCompanies(parts: CopyParts): SlicedWork<number> {
  const batches = createCopyBatches(parts.tickets);
  const sliceParts = { ...parts, turnToDerive: turnsToDerive() };
  return {
    name: "copy-companies",
    type: "company",
    pageSize: PAGE_SIZE,
    ...COUNTED,
    async open(run) {
      const rebuild = await copying(parts, run);
      return rebuild && ((range) => copyRange(sliceParts, rebuild.indices, range, () => batches.of(run)));
    },
  };
}

/**
 * Turns to derive, for all slices of a process. Between two of them answers are taken and bulks are sent. Otherwise the pages that are
 * ready at once would be derived one after another, while the engine has nothing to write.
 */
function turnsToDerive(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => (last = last.then(() => nextLoop()));
}

type SliceParts = CopyParts & { turnToDerive: () => Promise<void> };

function copyRange(parts: SliceParts, indices: Indices, range: IdRange, batch: () => Promise<CopyBatch>) {
  const fetched = pMapIterable(
    pagesOf(parts, range, batch),
    async (page: Page) => ({ ...page, fetched: await fetchRange(parts, page.batch.ticket, page) }),
    { concurrency: READS, backpressure: READ_AHEAD },
  );
  return pMapIterable(
    fetched,
    async (page: ReadPage) => writePage(parts, indices, await derivePage(parts, indices, page)),
    { concurrency: WRITES, backpressure: PAGES_AHEAD },
  );
}

/** `size`: the number of companies, including deleted ones. */
type Page = CompanyRange & { size: number; batch: CopyBatch };
type ReadPage = Page & { fetched: FetchedRange };
type Indices = Rebuild["indices"];

async function* pagesOf(parts: CopyParts, range: IdRange, batch: () => Promise<CopyBatch>): AsyncGenerator<Page> {
  let { after } = range;
  for await (const ids of idsOf(parts, "company", range)) {
    for (const page of chunks(ids, PAGE_SIZE)) {
      const last = page.at(-1)!;
      yield { after, last, size: page.length, batch: await batch() };
      after = last;
    }
  }
}

type DerivedPage = { last: string; size: number; documents: Record<FirstStage, Outgoing>; deadLetters: DeadLetter[] };

/** Only bytes are kept of a page while it is written, because V8 would copy objects again and again. */
async function derivePage(parts: SliceParts, indices: Indices, page: ReadPage): Promise<DerivedPage> {
  const { last, fetched, batch } = page;
  const deadLetters: DeadLetter[] = [];
  const sources = await assembleSources(parts, fetched, batch.investors);
  await settled(parts.tickets);
  const made = async (model: FirstStage, ids: readonly string[]) => {
    const live = parts.names.role(model, "live");
    const stamp = await createCopyStamp(parts, model, live, batch.ticket, ids);
    const kept = await readKept(parts, model, live, ids, sources);
    await parts.turnToDerive();
    const derived = derive(parts, model, ids, sources, deadLetters);
    return outgoing(batch.ticket, stamp(derived, kept));
  };
  const [funding, companies] = await Promise.all([
    made("funding", [...sources.rounds.keys()]),
    made("companies", [...sources.companies.keys()]),
  ]);
  const documents = { funding, companies };
  return { last, size: page.size + sources.rounds.size, documents, deadLetters };
}

async function writePage(
  parts: CopyParts,
  indices: Indices,
  { last, size, documents, deadLetters }: DerivedPage,
): Promise<{ last: string; found: number }> {
  const written = FIRST_STAGE.map(async (model) => {
    const { rejected } = await writeTo(parts, model, indices[model], documents[model]);
    deadLetters.push(...rejected.map(({ id, reason }) => deadLetterOfDocument(model, id, reason)));
  });
  await Promise.all(written);
  await parts.sendToDeadLetters(deadLetters);
  return { last, found: size };
}
