import type Router from "@koa/router";
import { createIngestRuns, type IngestRun, type Refusal } from "@tranche/shared/protocol/runs/ingest-runs";
import { memoizeFor } from "@tranche/http/server/memoize-for";
import type { OperatorRouteParts } from "./parts.ts";

export type IngestView = {
  id: string;
  files: string[];
  started_at: string;
  /** Null while it reads, and when it was interrupted. */
  enqueued_at: string | null;
  enqueued: number;
  /** Null until all is in the queue. */
  refused: number | null;
  /** The first of the refused lines. */
  refusals: Refusal[];
  /** Known to be indexed, or reported as lost. */
  done: boolean;
};

const SHOWN = 100;

/** The last ingests, the newest first, each with its first refusals. */
export function addIngests(router: Router, { installation: { client, names } }: OperatorRouteParts): void {
  const runs = createIngestRuns(client, names);
  const read = memoizeFor(0, async () => (await runs.newest(SHOWN)).map(viewOf));
  router.get("/ingests", async (ctx) => {
    ctx.body = { data: await read() };
  });
}

const viewOf = ({ id, files, started_at, enqueued_at, enqueued, refused, refusals, open }: IngestRun): IngestView => ({
  id,
  files,
  started_at,
  enqueued_at,
  enqueued,
  refused: refused ?? null,
  refusals: refusals ?? [],
  done: !open,
});
