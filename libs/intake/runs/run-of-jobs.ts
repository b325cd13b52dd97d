import type { Installation } from "@tranche/operations/installation/installation";
import type { EnqueuedRun, Origin } from "@tranche/shared/protocol/queue/enqueue";
import { createJobLedger, type JobRange } from "@tranche/shared/protocol/queue/job-ledger";
import { createIngestLosses } from "@tranche/shared/protocol/runs/ingest-losses";
import { createIngestRuns, type Refusal } from "@tranche/shared/protocol/runs/ingest-runs";
import { createJobOrigins, originsOf, originsText } from "@tranche/shared/protocol/runs/job-origins";
import type { TicketClock } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { IngestInput } from "../reading/read.ts";

/** How often the run saves its jobs in Elasticsearch, where others find them if this process dies. */
const SAVE_EVERY_MS = 2000;

/** The run of this process: it saves its jobs, and which of them Redis lost. */
export type OwnRun = EnqueuedRun & {
  id: string;
  /** Everything is in the queue. */
  allEnqueued(writes: number, refused: number, refusals: readonly Refusal[]): Promise<void>;
  /** No more is enqueued. */
  stop(): Promise<void>;
  /** Looks whether Redis still has the marks of all jobs, unless it is known which are lost (`lost`: their numbers). */
  check(lost?: readonly number[]): Promise<void>;
  /** Its jobs are done, except the lost ones. `failed`: some failed as a whole, so a former loss of these files is not made good. */
  done(jobs: { failed: boolean }): Promise<void>;
  /** The losses; undefined when nothing is known to be lost. */
  lostOrigins(): Origin[] | undefined;
};

export async function beginRun(
  installation: Installation,
  inputs: readonly Pick<IngestInput, "file" | "version">[],
  { tickets, warn }: { tickets: TicketClock; warn: (line: string) => void },
): Promise<OwnRun> {
  const { client, names, redis, settings } = installation;
  const runs = createIngestRuns(client, names);
  const losses = createIngestLosses(client, names);
  const stored = await runs.begin(
    inputs.map(({ file }) => file),
    inputs.flatMap(({ version }) => version ?? []),
  );
  const ledger = createJobLedger(redis, settings.TRANCHE_NAMESPACE, stored.id);
  const jobOrigins = createJobOrigins();
  const lostJobs: JobRange[] = [];
  let [jobs, saved] = [0, 0];
  let saving = Promise.resolve();

  const saveProgress = async () => {
    if (jobs === saved) return;
    const upTo = jobs;
    await runs.progress(stored, upTo, jobOrigins.all());
    saved = upTo;
  };
  const timer = setInterval(() => void (saving = saving.then(saveProgress).catch(() => {})), SAVE_EVERY_MS);

  const lost = async (range: JobRange) => {
    lostJobs.push(range);
    const named = originsOf(jobOrigins.all(), lostJobs);
    warn(`Redis lost writes that it had acknowledged. Ingest again: ${originsText(named)}.`);
    // Examines Redis, and reports a loss that no other process has noticed.
    await tickets.take();
    if (!(await losses.ofRun(stored.id)))
      await installation.losses.reportRuns(stored.id, [{ ...stored, jobs, parts: jobOrigins.all() }]);
    await losses.name(stored, named, true);
  };

  return {
    id: stored.id,
    ledger,
    enqueued(number, origins) {
      jobs = number;
      jobOrigins.add(number, origins);
    },
    lost,
    async allEnqueued(enqueued, refused, refusals) {
      const ticket = await tickets.take();
      await saving;
      await runs.enqueued(stored, { enqueued, refused, refusals, jobs, parts: jobOrigins.all(), ticket });
    },
    async stop() {
      clearInterval(timer);
      await saving;
    },
    async check(known) {
      if (known === undefined) {
        const marked = await ledger.marked();
        if (marked < jobs) await lost([marked + 1, jobs]);
      } else if (known.length > 0) {
        for (const number of known) lostJobs.push([number, number]);
        await lost([known.at(-1)!, known.at(-1)!]);
      }
      if (lostJobs.length > 0) return;
      // Another process may have named this run because it could not know what was enqueued last.
      const named = await losses.ofRun(stored.id);
      if (!named) return;
      await losses.resolve([named], "nothing of it was lost");
      await runs.reopen(stored);
    },
    async done({ failed }) {
      await runs.close([stored]);
      if (lostJobs.length === 0 && !failed) await losses.doneAgain(stored);
    },
    lostOrigins: () => (lostJobs.length === 0 ? undefined : originsOf(jobOrigins.all(), lostJobs)),
  };
}
