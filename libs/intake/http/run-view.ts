import {
  type Deletions,
  type IngestRun,
  type Notice,
  type ReadRows,
  type Refusal,
  type RunState,
  stateOfRun,
} from "@tranche/shared/protocol/runs/ingest-runs";

/** A run as `GET /ingest` shows it. */
export type RunView = {
  run: string;
  state: RunState;
  /** Why it did not end whole. */
  reason: string | null;
  by: string | null;
  files: string[];
  /** The stored mapping, as `name@version`. */
  map: string | null;
  set: string | null;
  /** The fate of the records that the set had and the run did not; null where there were none. */
  deletions: Deletions | null;
  started_at: string;
  /** Null while it reads. */
  enqueued_at: string | null;
  /** Null where nobody knows. */
  rows: ReadRows | null;
  /** Records in the queue; null until all are. */
  enqueued: number | null;
  /** The line or element that was read last. */
  last: { file: string; line?: number; element?: number } | null;
  /** The first refusals. */
  refusals: Refusal[];
  /** Notices about rows that were read, but not as they are; empty until all are in the queue. */
  notices: Notice[];
};

export function runView(run: IngestRun, now?: number): RunView {
  return {
    run: run.id,
    state: stateOfRun(run, now),
    reason: run.reason ?? null,
    by: run.by ?? null,
    files: run.files,
    map: run.mapping ?? null,
    set: run.set ?? null,
    deletions: run.deletions ?? null,
    started_at: run.started_at,
    enqueued_at: run.enqueued_at,
    rows: run.rows ?? null,
    enqueued: run.enqueued_at === null ? null : run.enqueued,
    last: run.last ?? null,
    refusals: run.refusals ?? [],
    notices: run.notices ?? [],
  };
}
