import { setTimeout as pause } from "node:timers/promises";
import type { Writing } from "@tranche/shared/generations/announcer";
import { retryForever } from "@tranche/shared/search/retry-forever";
import { searchKeys } from "@tranche/shared/search/search-all";
import { dayOfTime, isoDay } from "@tranche/shared/time/day";
import { pMapIterable } from "p-map";
import { publish } from "../write/publish.ts";
import { readTargets } from "../write/targets.ts";
import { chunks } from "@tranche/shared/search/chunks";
import { deadLetterOfDocument } from "./dead-letters.ts";
import { deriveAfresh } from "./derivation.ts";
import type { PipelineParts } from "./parts.ts";

/** Documents derived in one go: few enough that jobs of live traffic in the same process wait only a moment for each. */
const BATCH_SIZE = 500;
/** Batches under way at once: one is read and derived here while another is written there. */
const LANES = 2;
/** While live traffic waits, each batch is followed by a pause of this many times its own duration. */
const COURTESY = 1;
/** Readers' caches hold until more can be seen, so that is told now and then, not after each batch. */
const SHOW_EVERY_MS = 5000;

export type DueOptions = {
  /** Whether record writes wait for the indexer. */
  isBusy?: () => Promise<boolean>;
  /** Ends the pass early; the next one goes on. */
  until?: AbortSignal;
  /** A pass that broke off may have written what it did not tell of. */
  again?: boolean;
};

/**
 * Derives the signals documents that time alone has changed by today, in every index that is written to, and makes them
 * visible; returns how many. What is killed on the way is found due again by the next pass. The documents are derived here, not
 * passed on to the queue of follow-ups: those of live traffic would wait behind them.
 */
export async function deriveDue(parts: PipelineParts, options: DueOptions = {}): Promise<number> {
  if (options.again) await show(parts, []);
  let derived = 0;
  let shownAt = Date.now();
  for (const index of await signalsTargets(parts)) {
    let hidden: Writing[] = [];
    const batches = pMapIterable(
      dueIn(parts, index, options.until),
      (ids: string[]) => deriveSome(parts, ids, options.isBusy),
      { concurrency: LANES },
    );
    for await (const batch of batches) {
      derived += batch.ids.length;
      hidden.push(batch);
      if (Date.now() - shownAt < SHOW_EVERY_MS) continue;
      await show(parts, hidden);
      [hidden, shownAt] = [[], Date.now()];
    }
    // Before the next index is looked at: what was due here is derived there, too.
    if (hidden.length > 0) await show(parts, hidden);
    if (options.until?.aborted) break;
  }
  if (derived > 0) parts.log.info({ derived }, "derived what time has changed");
  return derived;
}

/** Ids of companies whose documents are due in an index, in batches; no more of them when the pass is to end. */
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

async function deriveSome(
  parts: PipelineParts,
  ids: readonly string[],
  isBusy: DueOptions["isBusy"],
): Promise<Writing> {
  const start = Date.now();
  const { ticket, targets, batch } = await deriveAfresh(parts, { rounds: new Set(), companies: new Set(ids) });
  const documents = batch.documents.signals;
  const writing = await parts.announcer.begin("signals", ticket, ids);
  const { rejected } = await publish(parts, "signals", targets.signals, ticket, documents, { refresh: false });
  await parts.sendToDeadLetters([
    ...batch.deadLetters,
    ...rejected.map(({ id, reason }) => deadLetterOfDocument("signals", id, reason)),
  ]);
  if (await isBusy?.()) await pause((Date.now() - start) * COURTESY);
  return writing;
}

/** Without `writings` anything may have been written. */
async function show(parts: PipelineParts, writings: readonly Writing[]): Promise<void> {
  for (const index of await signalsTargets(parts)) {
    await retryForever(
      () => parts.client.indices.refresh({ index: parts.names.ownAlias(index) }, { ignore: [404] }),
      parts.onRetry,
    );
  }
  if (writings.length > 0) await parts.announcer.announce("signals", writings);
  else await parts.announcer.announceEverything(["signals"]);
}

async function signalsTargets(parts: PipelineParts): Promise<readonly string[]> {
  return (await readTargets(parts, await parts.tickets.take())).signals;
}
