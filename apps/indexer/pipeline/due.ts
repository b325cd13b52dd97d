import { setTimeout as pause } from "node:timers/promises";
import type { Writing } from "@tranche/shared/protocol/generations/announcer";
import { searchKeys } from "@tranche/shared/engines/search/search-all";
import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import { pMapIterable } from "p-map";
import { publish, writtenOf } from "../write/publish.ts";
import { currentTargets } from "../write/targets.ts";
import { whileTarget } from "../write/while-target.ts";
import { chunks } from "@tranche/shared/engines/search/chunks";
import { deriveAfresh } from "./derivation.ts";
import { deriveDocuments } from "./derive-documents.ts";
import { only } from "./pages.ts";
import type { PipelineParts } from "./parts.ts";
import { deadLettersOfRefused } from "./refused.ts";
import { refreshed } from "@tranche/shared/engines/search/refreshed";

/** Documents per batch: few enough that ingest jobs in the same process wait only a moment. */
const BATCH_SIZE = 500;
/** Concurrent batches: one is read and derived here while Elasticsearch writes the other. */
const CONCURRENCY = 2;
/** While ingest jobs wait, the pause after each batch is this many times the batch's duration. */
const COURTESY = 1;
/** Each announcement invalidates cached answers, so there is not one per batch. The horizon of the feed waits for it. */
const SHOW_EVERY_MS = 1500;

type DueOptions = {
  /** Whether record writes wait for the indexer. */
  isBusy?: () => Promise<boolean>;
  /** Ends the pass early; the next one continues. */
  until?: AbortSignal;
  /** This job was interrupted before, so it may have written documents without announcing them. */
  again?: boolean;
};

/**
 * Derives the company documents that time alone has changed by today, in every target index, and makes them visible; returns how
 * many. If the pass is killed, the next one finds the remaining documents due. The documents are derived here and not in follow-up
 * jobs, because the follow-up jobs of ingested records would wait behind them.
 */
export async function deriveDue(parts: PipelineParts, options: DueOptions = {}): Promise<number> {
  if (options.again) await show(parts, []);
  let derived = 0;
  let shownAt = Date.now();
  for (const index of await companiesTargets(parts)) {
    const passed = await whileTarget(parts, [index], async () => {
      let hidden: Hidden[] = [];
      const batches = pMapIterable(
        dueIn(parts, index, options.until),
        (ids: string[]) => deriveSome(parts, ids, options),
        { concurrency: CONCURRENCY },
      );
      for await (const batch of batches) {
        derived += batch.writing.ids.length;
        hidden.push(batch);
        if (Date.now() - shownAt < SHOW_EVERY_MS) continue;
        await show(parts, hidden);
        [hidden, shownAt] = [[], Date.now()];
      }
      // Before the search in the next index, because the documents that were due here are written there, too.
      if (hidden.length > 0) await show(parts, hidden);
      return true;
    });
    // The pass was left in the middle: its writes are not announced yet.
    if (!passed) await show(parts, []);
    if (options.until?.aborted) break;
  }
  if (derived > 0) parts.log.info({ derived }, "derived documents that time has changed");
  return derived;
}

/** Ids of companies whose documents are due in an index, in batches, until the pass has to end. */
async function* dueIn(parts: PipelineParts, index: string, until?: AbortSignal): AsyncGenerator<string[]> {
  const pages = searchKeys(parts.client, {
    index,
    query: { range: { next_change_at: { lte: isoDay(dayOfTime(parts.now())) } } },
    field: "company_id",
  });
  for await (const ids of pages) {
    for (const batch of chunks(ids, BATCH_SIZE)) {
      if (until?.aborted) return;
      yield batch;
    }
  }
}

/** Documents that are written and not visible yet. `left`: those that were not. */
type Hidden = { writing: Writing; written: string[]; left: string[] };

async function deriveSome(
  parts: PipelineParts,
  ids: readonly string[],
  { isBusy, again }: DueOptions,
): Promise<Hidden> {
  const start = Date.now();
  const { ticket, documents, deadLetters } = await deriveAfresh(parts, only("companies", ids), { again });
  const { outgoing } = documents.companies;
  const writing = await parts.announcer.begin("companies", ticket, ids);
  const { rejected } = await publish(parts, "companies", outgoing, { refresh: false });
  await parts.sendToDeadLetters([...deadLetters, ...(await deadLettersOfRefused(parts, rejected))]);
  if (await isBusy?.()) await pause((Date.now() - start) * COURTESY);
  return { writing, ...writtenOf(ids, outgoing, rejected) };
}

/** Refreshes the targets, lets the feed show what was written, and announces it. With none, it announces a change of everything. */
async function show(parts: PipelineParts, hidden: readonly Hidden[]): Promise<void> {
  for (const index of await companiesTargets(parts)) {
    await whileTarget(parts, [index], () => refreshed(parts.client, parts.names.ownAlias(index), parts.onRetry));
  }
  const lost: string[] = [];
  for (const { writing, written, left } of hidden) {
    if (!(await parts.pendingWrites.takeBack("companies", writing.ticket, { written, left }))) lost.push(...written);
  }
  const writings = hidden.map(({ writing }) => writing);
  if (writings.length > 0) await parts.announcer.announce("companies", writings);
  else await parts.announcer.announceEverything(["companies"]);
  if (lost.length > 0) await deriveDocuments(parts, only("companies", lost), { again: true });
}

async function companiesTargets(parts: PipelineParts): Promise<readonly string[]> {
  return (await currentTargets(parts)).companies;
}
