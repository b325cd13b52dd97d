import type { Readable } from "node:stream";
import { parseRecord } from "@tranche/shared/records/parse";
import { createEnqueuer } from "@tranche/shared/queue/enqueue";
import { type DeadLetter, type DeriveJob, type IngestJob, QUEUES } from "@tranche/shared/queue/queues";
import { createIngestRuns } from "@tranche/shared/runs/ingest-runs";
import { redisLosses } from "@tranche/shared/runs/redis-loss";
import { dayOfTime, isoDay } from "@tranche/shared/time/day";
import type { DealTypes } from "@tranche/shared/vocabulary/deal-types";
import type { Engines } from "../engines/connect.ts";
import { openInput } from "../sources/input.ts";
import { MAX_RAW_LENGTH, refusal, SourceError, type SourceItem } from "../sources/item.ts";
import type { Format } from "../sources/formats.ts";
import { type CsvReader, readSource } from "../sources/source.ts";
import { shownNumber } from "../terminal/numbers.ts";
import type { Progress } from "../terminal/progress.ts";
import type { Refusals } from "./refusals.ts";
import { createTally, type IngestSummary } from "./tally.ts";
import { deadLetterIds, waitUntilSearchable, watchStandstill } from "./wait.ts";
import { createWriter } from "./write.ts";

export type IngestRequest = {
  files: readonly string[];
  format: Format | undefined;
  csv: CsvReader | undefined;
  wait: boolean;
  /** Refuses records with unknown fields. */
  strict: boolean;
};

export type IngestParts = {
  engines: Engines;
  dealTypes: DealTypes;
  stdin: Readable;
  progress: Progress;
  refusals: Refusals;
  interrupted: AbortSignal;
};

const WATCH_EVERY_MS = 1000;

/** Reads files into the ingest queue: good records go in, the others are refused one by one. */
export async function runIngest(request: IngestRequest, parts: IngestParts): Promise<IngestSummary> {
  const { engines, progress, refusals, interrupted } = parts;
  const queues = {
    ingest: engines.queue<IngestJob>(QUEUES.ingest),
    derive: engines.queue<DeriveJob>(QUEUES.derive),
    deadLetters: engines.queue<DeadLetter>(QUEUES.deadLetters),
  };
  const tally = createTally();
  const started = Date.now();
  const context = { dealTypes: parts.dealTypes, today: isoDay(dayOfTime(engines.now())), strict: request.strict };
  const buriedBefore = request.wait ? await deadLetterIds(queues.deadLetters) : new Set<string>();

  const tickets = engines.tickets((error, attempt) => {
    if (attempt === 2) progress.tell(`Elasticsearch does not answer as it should (${error.message}); waiting …`);
  });
  // Taken before anything is enqueued: a loss of before is not one of this run.
  await tickets.take();
  const runs = createIngestRuns(engines.client, engines.names);
  const run = await runs.begin(request.files);
  const enqueuer = createEnqueuer(queues.ingest);
  const writer = createWriter({
    enqueuer,
    takeVersions: (count) => tickets.take(count),
    updatedAt: () => new Date(engines.now()).toISOString(),
  });

  const standstill = watchStandstill(queues, progress);
  const watch = setInterval(
    () => void standstill(`${enqueuer.jobIds().length} ${tally.counts.items}`).catch(() => {}),
    WATCH_EVERY_MS,
  );
  let reached = "";
  try {
    for (const file of request.files) {
      if (interrupted.aborted) break;
      tally.counts.files++;
      await readFile(file);
    }
    await writer.flush();
    await runs.enqueued(run, tally.total());
  } finally {
    clearInterval(watch);
  }
  if (interrupted.aborted) progress.tell(`Stopped at ${reached}; everything before it is enqueued or refused.`);

  const summary = tally.summary((Date.now() - started) / 1000, interrupted.aborted);
  if (!request.wait || interrupted.aborted) return summary;
  const { failedJobs } = await waitUntilSearchable(queues, enqueuer.jobIds(), progress, interrupted);
  // A job that is gone is a job that was done, unless Redis lost it: taking a ticket notices that.
  await tickets.take();
  const lost = (await redisLosses(engines.client, engines.names)).some((loss) =>
    loss.runs.some(({ id }) => id === run.id),
  );
  if (lost) progress.tell("Redis lost its data meanwhile, and with it some of these writes: ingest the files again.");
  else if (!interrupted.aborted) await runs.close([run]);
  for (const { id, reason } of failedJobs.slice(0, 5)) progress.tell(`Job ${id} failed: ${reason}`);
  const buried = [...(await deadLetterIds(queues.deadLetters))].filter((id) => !buriedBefore.has(id)).length;
  if (buried > 0)
    progress.tell(
      `${shownNumber(buried)} writes or documents were put aside meanwhile: \`ops failed list\` shows why.`,
    );
  return {
    ...summary,
    interrupted: interrupted.aborted,
    searchable: !interrupted.aborted && !lost && failedJobs.length === 0 && buried === 0,
    searchable_after_seconds: Math.round((Date.now() - started) / 100) / 10,
    failed_jobs: failedJobs.length,
    dead_letters: buried,
  };

  async function readFile(file: string): Promise<void> {
    const name = file === "-" ? "standard input" : file;
    const refuse = async ({ place, problems, raw }: Pick<SourceItem & { ok: false }, "place" | "problems" | "raw">) => {
      tally.counts.refused++;
      await refusals.add({ file: name, place, problems, raw });
    };
    try {
      const input = await openInput(file, parts.stdin);
      const fileStarted = Date.now();
      const before = tally.counts.items;
      progress.begin(name, input.size);
      for await (const item of readSource(input, request.format, request.csv)) {
        reached = `${name}${"line" in item.place ? `, line ${item.place.line}` : "element" in item.place ? `, element ${item.place.element}` : ""}`;
        if (interrupted.aborted) return;
        if (Object.keys(item.place).length > 0) tally.counts.items++;
        if (item.ok && item.skipped) tally.counts.skipped++;
        if (item.ok) await take(item, refuse);
        else await refuse(item);
        const speed = (1000 * (tally.counts.items - before)) / (Date.now() - fileStarted + 1);
        if (tally.counts.items % 100 === 0)
          progress.at(input.read(), `${shownNumber(tally.counts.items - before)} records, ${shownNumber(speed)}/s`);
      }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      await refuse({ ...refusal({}, error.message), ok: false } as SourceItem & { ok: false });
    }
  }

  async function take(
    item: SourceItem & { ok: true },
    refuse: (refused: SourceItem & { ok: false }) => Promise<void>,
  ): Promise<void> {
    for (const value of item.values) {
      const outcome = parseRecord(value, context);
      if (outcome.ok) {
        tally.enqueued(outcome.record);
        await writer.add(outcome.record);
      } else
        await refuse({
          ok: false,
          place: item.place,
          problems: outcome.problems,
          raw: item.raw.slice(0, MAX_RAW_LENGTH),
        });
    }
  }
}
