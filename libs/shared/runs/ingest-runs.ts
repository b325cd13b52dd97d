import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import type { IndexNames } from "../search/index-names.ts";
import { retryForever, wholeAnswer } from "../search/retry-forever.ts";

/** One `ops ingest`, stored so that runs can be found whose jobs Redis may have lost. */
export type IngestRun = {
  kind: "ingest-run";
  id: string;
  files: string[];
  started_at: string;
  /** When all it had was in the queue; null while it is at it, or when it was broken off. */
  enqueued_at: string | null;
  /** Record writes that it put into the queue. */
  enqueued: number;
  /** Lines, elements or rows that it refused; missing in runs of older versions. */
  refused?: number;
  /** The first of them; missing in runs of older versions, and until all is in the queue. */
  refusals?: Refusal[];
  /** True until the queue has been seen empty afterwards, or Redis has lost its data. */
  open: boolean;
};

/** A refused line, element or row, cut to what a page can show. */
export type Refusal = { file: string; line?: number; element?: number; problems: { field: string; reason: string }[] };

export type IngestRuns = ReturnType<typeof createIngestRuns>;

const MAX_OPEN = 1000;

/** The ingest runs of an installation, in its control index. Their searches see what was written before. */
export function createIngestRuns(client: Client, names: IndexNames, now: () => number = Date.now) {
  const index = names.control;
  const stamp = () => new Date(now()).toISOString();

  const begin = async (files: readonly string[]): Promise<IngestRun> => {
    const run: IngestRun = {
      kind: "ingest-run",
      id: `run-${randomUUID()}`,
      files: [...files],
      started_at: stamp(),
      enqueued_at: null,
      enqueued: 0,
      open: true,
    };
    await retryForever(() => client.index({ index, id: run.id, document: run, refresh: true }));
    return run;
  };

  /** Everything of it is in the queue. */
  const enqueued = (run: IngestRun, writes: number, refused: number, refusals: readonly Refusal[] = []) =>
    change([run.id], { enqueued: writes, refused, refusals: [...refusals], enqueued_at: stamp() });

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

  /** At most `limit` runs, the newest first. */
  const newest = async (limit: number): Promise<IngestRun[]> => {
    const answer = await retryForever(async () =>
      wholeAnswer(
        await client.search<IngestRun>({
          index,
          size: limit,
          query: { bool: { filter: [{ term: { kind: "ingest-run" } }] } },
          // The index has no field for it, and indices of older installations never will.
          runtime_mappings: { started_at: { type: "date" } },
          sort: [{ started_at: "desc" }],
        }),
      ),
    );
    return answer.hits.hits.map((hit) => hit._source!);
  };

  /** The run that began last. */
  const last = async (): Promise<IngestRun | undefined> => (await newest(1))[0];

  /** They are done with, one way or the other. */
  const close = (runs: readonly IngestRun[]) =>
    change(
      runs.map((run) => run.id),
      { open: false },
    );

  const change = async (ids: readonly string[], fields: Partial<IngestRun>): Promise<void> => {
    for (const id of ids) {
      await retryForever(() => client.update({ index, id, doc: fields, refresh: true, retry_on_conflict: 5 }));
    }
  };

  return { begin, enqueued, open, newest, last, close };
}
