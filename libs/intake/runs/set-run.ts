import { setTimeout as pause } from "node:timers/promises";
import type { Installation } from "@tranche/operations/installation/installation";
import type { ParsedRecord, RecordProblem } from "@tranche/shared/domain/records/parse";
import { RECORD_TYPES, type RecordType } from "@tranche/shared/domain/records/record";
import { JOB_FORMATS } from "@tranche/shared/protocol/queue/formats";
import { JOB_OPTIONS, type DeleteMissingJob, QUEUES, UPKEEP_JOBS } from "@tranche/shared/protocol/queue/queues";
import { createIngestRuns, type Deletions } from "@tranche/shared/protocol/runs/ingest-runs";
import { createSetRecords } from "@tranche/shared/protocol/runs/set-records";
import { createSets, deleteMissingJobId } from "@tranche/shared/protocol/runs/sets";
import type { SetSummary } from "../reading/summary.ts";

/** The input is everything that a set has now. */
export type SetRequest = {
  name: string;
  /** The share of the records of a type, 0 to 1, that may go at once. */
  allowDeletes: number;
  /** False where the sender may not delete: records join, and none goes. */
  mayDelete: boolean;
};

/** At most this share of the records of a type goes at once … */
export const ALLOWED_SHARE = 0.2;
/** … where the set has at least so many of it. */
const PROTECTED_FROM = 20;

/** Another run of the set is under way. */
export class SetUnderWay extends Error {
  override name = "SetUnderWay";
  readonly run: string | null;

  constructor(set: string, run: string | null) {
    const which = run === null ? "" : ` (${run})`;
    super(`A run of the set '${set}'${which} is under way. Two at once would delete each other's records.`);
    this.run = run;
  }
}

const OPEN_STATES: readonly string[] = ["waiting", "active", "delayed", "prioritized", "waiting-children"];
const GIVEN_UP: Deletions = { state: "given up", deleted: 0 };
const NONE_MISSING = Object.fromEntries(RECORD_TYPES.map((type) => [type, 0])) as Record<RecordType, number>;

/** A run of a set, from its first record to its deletions. */
export type SetRun = {
  begun(run: string): Promise<void>;
  /** Notes records before they are enqueued. */
  note(records: readonly ParsedRecord[]): Promise<void>;
  /** Everything that was read is in the queue. Has the missing records deleted, if it is `whole` and not too many are missing. */
  settle(whole: boolean): Promise<SetSummary>;
  /** Resolves when its deletions are done or given up, with what became of them. */
  untilDeleted(lookEveryMs: number, interrupted: AbortSignal): Promise<Pick<SetSummary, "deletions" | "deleted">>;
  /** Ends it without deletions, where an error ended it. */
  abandon(): Promise<void>;
};

/** The problem of a record of a set: a set lists what is there, so it has no merges and no deletes. */
export function refusedInSet({ body, merge }: ParsedRecord): RecordProblem | undefined {
  if (body && !merge) return undefined;
  return { field: "op", reason: "a set takes upserts only: leave a record out to delete it" };
}

/** Begins a run of a set. Throws SetUnderWay where another one is. */
export async function beginSet(installation: Installation, request: SetRequest): Promise<SetRun> {
  const { client, names } = installation;
  const { name } = request;
  const upkeep = installation.queue<DeleteMissingJob>(QUEUES.upkeep);
  const isJobOpen = async (id: string) => OPEN_STATES.includes(await upkeep.getJobState(id));
  const sets = createSets(client, names, isJobOpen);
  const records = createSetRecords(client, names);
  const runs = createIngestRuns(client, names);
  const begun = await sets.begin(name);
  if ("underWay" in begun) throw new SetUnderWay(name, begun.underWay);
  const { held } = begun;
  const had = await records.count(name);
  let run = "";

  const decide = async (whole: boolean): Promise<SetSummary> => {
    const nothing = { name, missing: NONE_MISSING, deleted: 0, too_many: [] };
    if (!whole) return { ...nothing, deletions: "not whole" };
    const missing = await records.countMissing(name, run);
    if (RECORD_TYPES.every((type) => missing[type] === 0)) return { ...nothing, deletions: "none" };
    const too_many = RECORD_TYPES.filter(
      (type) => had[type] >= PROTECTED_FROM && missing[type] > request.allowDeletes * had[type],
    ).map((type) => ({ type, had: had[type], missing: missing[type] }));
    const deletions = !request.mayDelete ? "not allowed" : too_many.length > 0 ? "refused" : "due";
    return { name, missing, deleted: 0, deletions, too_many };
  };

  return {
    async begun(id) {
      run = id;
      await held.change({ run });
    },
    note: (some) =>
      records.note(
        name,
        run,
        some.map(({ type, id }) => ({ type, record_id: id })),
      ),
    async settle(whole) {
      const summary = await decide(whole);
      const { deletions } = summary;
      if (deletions !== "none" && deletions !== "not whole")
        await runs.deletions(run, { state: deletions, deleted: 0 });
      // Before the job, which looks for it. Without the job, the next run begins all the same.
      await held.release({ phase: deletions === "due" ? "deleting" : "idle" });
      if (deletions === "due") {
        const job = { format: JOB_FORMATS.upkeep, set: name, run };
        await upkeep.add(UPKEEP_JOBS.deleteMissing, job, { ...JOB_OPTIONS, jobId: deleteMissingJobId(run) });
      }
      return summary;
    },
    async untilDeleted(lookEveryMs, interrupted) {
      const isDue = async () => {
        const state = await sets.state(name);
        return state?.run === run && (await sets.isUnderWay(state));
      };
      while (!interrupted.aborted && (await isDue())) await pause(lookEveryMs);
      const { state, deleted } = (await runs.find(run))?.deletions ?? GIVEN_UP;
      return { deletions: state, deleted };
    },
    abandon: () => held.release({ phase: "idle" }),
  };
}
