import type { Installation } from "@tranche/operations/installation/installation";
import type { EnqueuedRun, Origin } from "@tranche/shared/protocol/queue/enqueue";
import { createJobLedger, type JobRange } from "@tranche/shared/protocol/queue/job-ledger";
import { createIngestLosses } from "@tranche/shared/protocol/runs/ingest-losses";
import { createIngestRuns, type IngestRun } from "@tranche/shared/protocol/runs/ingest-runs";
import { createJobOrigins, originsOf, originsText } from "@tranche/shared/protocol/runs/job-origins";
import type { TicketClock } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { IngestInput } from "../reading/read.ts";

/** How often the run saves its jobs and counts in Elasticsearch, where others find them if this process dies … */
const SAVE_EVERY_MS = 2000;
/** … also where nothing has changed, as a sign of life. */
const ALIVE_EVERY_MS = 10_000;

/** The rows that a run has read so far. */
type ReadSoFar = Required<Pick<IngestRun, "rows" | "refusals">> & Pick<IngestRun, "last">;

/** The run of this process: it saves its jobs, and which of them Redis lost. */
export type OwnRun = EnqueuedRun & {
  id: string;
  /** Everything that was read is in the queue. */
  allEnqueued(
    end: Required<Pick<IngestRun, "enqueued" | "refused" | "notices" | "ended">> & Pick<IngestRun, "reason">,
  ): Promise<void>;
  /** An error ended it. */
  failed(error: Error): Promise<void>;
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
  {
    tickets,
    warn,
    soFar,
    about,
  }: {
    tickets: TicketClock;
    warn: (line: string) => void;
    soFar: () => ReadSoFar;
    about?: Pick<IngestRun, "by" | "mapping" | "set"> | undefined;
  },
): Promise<OwnRun> {
  const { client, names, redis, settings } = installation;
  const runs = createIngestRuns(client, names);
  const losses = createIngestLosses(client, names);
  const stored = await runs.begin(
    inputs.map(({ file }) => file),
    inputs.flatMap(({ version }) => version ?? []),
    about,
  );
  const ledger = createJobLedger(redis, settings.TRANCHE_NAMESPACE, stored.id);
  const jobOrigins = createJobOrigins();
  const lostJobs: JobRange[] = [];
  const numbers = new Map(inputs.map(({ file }, position) => [file, position + 1]));
  const ofRun = { run: stored.id, ...(about?.set === undefined ? {} : { set: about.set }) };
  let jobs = 0;
  let saved = { jobs: 0, read: 0, at: Date.now() };
  let saving = Promise.resolve();

  const saveProgress = async () => {
    const now = { jobs, read: soFar().rows.read, at: Date.now() };
    if (now.jobs === saved.jobs && now.read === saved.read && now.at - saved.at < ALIVE_EVERY_MS) return;
    await runs.progress(stored, { jobs, parts: jobOrigins.all(), ...soFar() });
    saved = now;
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
    provenanceOf: ({ file, lines, elements }) => ({
      ...ofRun,
      ...(numbers.has(file) ? { file: numbers.get(file)! } : {}),
      ...(lines ? { line: lines[0] } : {}),
      ...(elements ? { element: elements[0] } : {}),
    }),
    enqueued(number, origins) {
      jobs = number;
      jobOrigins.add(number, origins);
    },
    lost,
    async allEnqueued(end) {
      const ticket = await tickets.take();
      await saving;
      await runs.enqueued(stored, { ...end, ...soFar(), jobs, parts: jobOrigins.all(), ticket });
    },
    failed: (error) => runs.failed(stored, error.message),
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
