import type { ParsedRecord } from "@tranche/shared/domain/records/parse";
import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import { existingOf } from "../reading/existing.ts";
import { createFileProgress } from "../reading/file-progress.ts";
import { readInputs } from "../reading/read.ts";
import type { IngestParts, IngestRequest } from "./run.ts";
import { createComparison } from "../reading/comparison.ts";
import { createIngestCounter } from "../reading/counter.ts";
import type { IngestSummary } from "../reading/summary.ts";

const SHOWN = 10;
/** Records that are compared with the stored ones together. */
const BLOCK = 500;

/** Reads inputs as an ingest does and compares the records with the stored ones. Nothing is written, neither to a store nor to a queue. */
export async function previewIngest(request: IngestRequest, parts: IngestParts): Promise<IngestSummary> {
  const { installation, interrupted } = parts;
  const started = Date.now();
  const counter = createIngestCounter(request);
  const comparison = createComparison(installation, { remembersNew: true });
  const first: ParsedRecord[] = [];
  let block: ParsedRecord[] = [];
  // Later rows may add fields to these records, so only their last state is compared.
  const types = new Set(request.mapping?.records.filter(({ merge }) => merge).map(({ type }) => type));
  const unfinished = new Map<string, ParsedRecord>();

  const compare = async () => {
    const records = block;
    block = [];
    const found = await comparison.add(records);
    for (const [position, record] of records.entries())
      if (request.onlyNew && found[position]!.exists) counter.leftOut(record);
  };
  const add = async (record: ParsedRecord) => {
    block.push(record);
    if (block.length >= BLOCK) await compare();
  };

  const vocabulary = {
    dealTypes: parts.dealTypes,
    today: isoDay(dayOfTime(installation.now())),
    strict: request.strict,
  };
  // Nothing is enqueued, so nothing can be lost.
  const fileProgress = createFileProgress([], () => ({ added: 0, enqueued: 0 }));
  await readInputs(request, { ...parts, counter, fileProgress, vocabulary }, async (record, again) => {
    const shown = again ? first.findIndex(({ type, id }) => type === record.type && id === record.id) : first.length;
    if (shown !== -1 && shown < SHOWN) first[shown] = record;
    if (types.has(record.type)) unfinished.set(`${record.type} ${record.id}`, record);
    else await add(record);
  });
  for (const record of unfinished.values()) await add(record);
  await compare();

  const { created, replaced, merged, deleted, unchanged } = comparison.effects();
  counter.existing(existingOf(comparison.effects(), request.onlyNew));
  return {
    ...counter.summary((Date.now() - started) / 1000, interrupted.aborted, []),
    dry_run: {
      created,
      ...(request.onlyNew
        ? { changed: 0, deleted: 0, unchanged: replaced + merged + deleted + unchanged }
        : { changed: replaced + merged, deleted, unchanged }),
      first: first.map(shownRecord),
    },
  };
}

function shownRecord({ type, id, version, body, merge }: ParsedRecord): object {
  const head = { type, ...(version === undefined ? {} : { version }) };
  if (merge) return { ...head, op: "merge", id, ...merge };
  return body === null ? { ...head, op: "delete", id } : { ...head, ...body };
}
