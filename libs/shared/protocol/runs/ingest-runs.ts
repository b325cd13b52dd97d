import { randomBytes } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { KEEP_MARKS_SECONDS } from "../queue/job-ledger.ts";
import { isHolderDead } from "../../engines/search/held-document.ts";
import type { IndexNames } from "../../engines/search/index-names.ts";
import { retryForever, wholeAnswer } from "../../engines/search/retry-forever.ts";
import type { JobOrigin } from "./job-origins.ts";

/** One `ops ingest` or one upload, stored so that runs can be found whose jobs Redis may have lost. */
export type IngestRun = {
  kind: "ingest-run";
  id: string;
  files: string[];
  /** Tells the files from others of the same names. */
  versions: FileVersion[];
  started_at: string;
  /** When all it had was in the queue; null while it is at it, or when it was broken off. */
  enqueued_at: string | null;
  /** Record writes that it put into the queue. */
  enqueued: number;
  /** Jobs that it put into the queue, as far as it has noted. */
  jobs: number;
  /** The lines that are in each of them. */
  parts: JobOrigin[];
  /** The ticket clock when all was in the queue. */
  ticket?: number;
  /** Lines, elements or rows that it refused; missing until all is in the queue. */
  refused?: number;
  /** The first of them; missing until all is in the queue. */
  refusals?: Refusal[];
  /** Notices about its rows, beside the refusals; missing until all is in the queue. */
  notices?: Notice[];
  /** The sender: an operator or an ingest token, as the audit log names them. */
  by?: string;
  /** The stored mapping that it was read with, as `name@version`. */
  mapping?: string;
  /** The set that it has all of. */
  set?: string;
  /** The fate of the records that the set had and the run did not; missing where there were none. */
  deletions?: Deletions;
  /** The last time at which it was known to be at it. */
  alive_at?: string;
  /** The rows that it has read so far. */
  rows?: ReadRows;
  /** The line or element that it read last. */
  last?: { file: string; line?: number; element?: number };
  /** How its reading ended; missing while it is at it, and when its process died. */
  ended?: RunEnd;
  /** Why it did not end whole. */
  reason?: string;
  /** True until the queue has been seen empty afterwards, Redis has lost its data, or the run is too old to know. */
  open: boolean;
};

/** Rows of CSV, lines of NDJSON or elements of an array. */
export type ReadRows = { read: number; with_records: number; refused: number; skipped: number };

/**
 * `refused`: too many would have gone; `not allowed`: its token deletes nothing; `due`: an indexer deletes them, or will; `given up`: not all
 * of the run was stored, so nothing more is deleted.
 */
export type Deletions = {
  state: "refused" | "not allowed" | "due" | "done" | "given up";
  deleted: number;
  reason?: string;
};

/** `whole`: it read everything; `broken`: it was interrupted, or its connection broke; `failed`: an error ended it. What it read before is in the queue. */
type RunEnd = "whole" | "broken" | "failed";

/** How far a run is. `queued`: all of it is in the queue; `done`: it is indexed, or its losses are reported. */
export type RunState = "reading" | "queued" | "done" | "broken" | "failed";

export function stateOfRun({ ended, open, alive_at, started_at }: IngestRun, now = Date.now()): RunState {
  if (ended === "broken" || ended === "failed") return ended;
  if (ended === "whole") return open ? "queued" : "done";
  return isHolderDead({ alive_at: alive_at ?? started_at }, now) ? "broken" : "reading";
}

/** Whether the run is so old that a Redis that lost nothing has no mark of it: it was broken off, or the queue was never seen empty. */
export const areMarksForgotten = (run: Pick<IngestRun, "started_at" | "enqueued_at">, now = Date.now()): boolean =>
  Date.parse(run.enqueued_at ?? run.started_at) + KEEP_MARKS_SECONDS * 1000 < now;

/** A file as it was when a run began to read it. `modified`: ISO 8601. */
export type FileVersion = { file: string; bytes: number; modified: string };

/** A refused line, element or row, cut to what a page can show. */
export type Refusal = { file: string; line?: number; element?: number; problems: { field: string; reason: string }[] };

/** Rows that were read, but not as they are: what became of how many, with the most frequent examples and how many more there are. */
export type Notice = { text: string; examples: string[]; more: number };

export type IngestRuns = ReturnType<typeof createIngestRuns>;

const MAX_OPEN = 1000;

/** The ingest runs of an installation, in its control index. Their searches see what was written before. */
export function createIngestRuns(client: Client, names: IndexNames, now: () => number = Date.now) {
  const index = names.control;
  const stamp = () => new Date(now()).toISOString();

  const begin = async (
    files: readonly string[],
    versions: readonly FileVersion[],
    about: Pick<IngestRun, "by" | "mapping" | "set"> = {},
  ): Promise<IngestRun> => {
    const run: IngestRun = {
      kind: "ingest-run",
      id: `run-${randomBytes(5).toString("hex")}`,
      files: [...files],
      versions: [...versions],
      started_at: stamp(),
      enqueued_at: null,
      enqueued: 0,
      jobs: 0,
      parts: [],
      open: true,
      ...about,
    };
    await retryForever(() => client.index({ index, id: run.id, document: run, refresh: true }));
    return run;
  };

  /** It is at it: so far is it, and more will come. */
  const progress = (run: IngestRun, so: Pick<IngestRun, "jobs" | "parts" | "rows" | "last" | "refusals">) =>
    change([run.id], { ...so, alive_at: stamp() });

  /** Everything that it read is in the queue. */
  const enqueued = (
    run: IngestRun,
    done: Required<Pick<IngestRun, "enqueued" | "refused" | "jobs" | "parts" | "ticket" | "ended" | "refusals">> &
      Pick<IngestRun, "rows" | "last" | "reason" | "notices">,
  ) => change([run.id], { ...done, enqueued_at: stamp() });

  /** An error ended it: something of what it read may not be in the queue. */
  const failed = (run: IngestRun, reason: string) => change([run.id], { ended: "failed", reason });

  const find = async (id: string): Promise<IngestRun | undefined> => {
    const found = await retryForever(() => client.get<IngestRun>({ index, id }, { ignore: [404] }));
    return found.found && found._source!.kind === "ingest-run" ? found._source : undefined;
  };

  /** Runs that are neither known to be done nor stated as lost, the oldest first. */
  const open = async (): Promise<IngestRun[]> => {
    const answer = await retryForever(async () =>
      wholeAnswer(
        await client.search<IngestRun>({
          index,
          size: MAX_OPEN,
          query: { bool: { filter: [{ term: { kind: "ingest-run" } }, { term: { open: true } }] } },
        }),
      ),
    );
    return answer.hits.hits.map((hit) => hit._source!).toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
  };

  /** At most `limit` runs, the newest first; `by`: only those of this sender. */
  const newest = async (limit: number, by?: string): Promise<IngestRun[]> => {
    const answer = await retryForever(async () =>
      wholeAnswer(
        await client.search<IngestRun>({
          index,
          size: limit,
          query: {
            bool: { filter: [{ term: { kind: "ingest-run" } }, ...(by === undefined ? [] : [{ term: { by } }])] },
          },
          sort: [{ started_at: "desc" }],
        }),
      ),
    );
    return answer.hits.hits.map((hit) => hit._source!);
  };

  /** The run that began last. */
  const last = async (): Promise<IngestRun | undefined> => (await newest(1))[0];

  /** The outcome of its deletions. */
  const deletions = (run: string, so: Deletions) => change([run], { deletions: so });

  /** They are done with, one way or the other. */
  const close = (runs: readonly IngestRun[]) =>
    change(
      runs.map((run) => run.id),
      { open: false },
    );

  /** It is not lost after all. */
  const reopen = (run: IngestRun) => change([run.id], { open: true });

  const change = async (ids: readonly string[], fields: Partial<IngestRun>): Promise<void> => {
    for (const id of ids) {
      await retryForever(() => client.update({ index, id, doc: fields, refresh: true, retry_on_conflict: 5 }));
    }
  };

  return { begin, progress, enqueued, failed, deletions, find, reopen, open, newest, last, close };
}
