import type { Provenance, RecordType, RecordWrite } from "@tranche/shared/domain/records/record";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { openMerges } from "@tranche/shared/engines/search/merges";
import { readRecords } from "@tranche/shared/engines/search/records";
import { markedJobs } from "@tranche/shared/protocol/queue/job-ledger";
import type { DeleteMissingJob } from "@tranche/shared/protocol/queue/queues";
import { createIngestRuns, type IngestRun } from "@tranche/shared/protocol/runs/ingest-runs";
import { createSetRecords, type FoundSetRecord, type SetRecords } from "@tranche/shared/protocol/runs/set-records";
import { createSets } from "@tranche/shared/protocol/runs/sets";
import type { Queue } from "bullmq";
import type { PipelineParts } from "../pipeline/parts.ts";
import { LeftToOthers } from "../rebuild/share-out.ts";
import { ingestRecords } from "./ingest.ts";

/** States of jobs that are asked for in one go. */
const STATES_AT_ONCE = 500;

type DeleteParts = {
  pipeline: PipelineParts;
  ingest: Pick<Queue, "getJobState">;
  redis: RedisClient;
  namespace: string;
  until: AbortSignal;
};

/**
 * Deletes the records that a set had and that its run did not have. It begins when every job of the run is done, and gives up when one
 * failed or got lost. It may run twice, and continues after a kill: a record leaves its set after its deletion is stored. A record that
 * another set has only leaves this one. Throws LeftToOthers while jobs of the run are open, and when `until` aborts.
 */
export async function deleteMissingOfSet(parts: DeleteParts, { set, run: id }: DeleteMissingJob): Promise<string> {
  const { client, names, timing } = parts.pipeline;
  const runs = createIngestRuns(client, names);
  const records = createSetRecords(client, names);
  const sets = createSets(client, names, async () => true);
  const state = await sets.state(set);
  if (state?.run !== id || state.phase !== "deleting") return "another run of the set has begun";
  const run = await runs.find(id);
  let deleted = run?.deletions?.deleted ?? 0;
  const problem = run ? await problemOfRun(parts, run) : "its run is not known";
  if (problem === "open") throw new LeftToOthers("not everything of the run is stored", timing.storedRunLook);
  if (problem === undefined) {
    for await (const page of records.missing(set, id)) {
      if (parts.until.aborted) throw new LeftToOthers("the process shuts down");
      deleted += await deleteRecords(parts.pipeline, records, { set, run: id }, page);
      await records.remove(page);
      await runs.deletions(id, { state: "due", deleted });
    }
    await runs.deletions(id, { state: "done", deleted });
  } else if (run) await runs.deletions(id, { state: "given up", deleted, reason: problem });
  await sets.end(set, id);
  return problem ?? `deleted ${deleted}`;
}

/** Whether jobs of the run are still `open`, or why not all of it is stored; undefined when all of it is. */
async function problemOfRun({ ingest, redis, namespace }: DeleteParts, run: IngestRun): Promise<string | undefined> {
  let isOpen = false;
  for (let from = 1; from <= run.jobs; from += STATES_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(STATES_AT_ONCE, run.jobs - from + 1) }, (_, n) => from + n);
    const states = await Promise.all(numbers.map((number) => ingest.getJobState(`${run.id}-${number}`)));
    if (states.includes("failed")) return "a job of its run failed";
    // Done jobs are soon forgotten.
    if (states.some((each) => each !== "completed" && each !== "unknown")) isOpen = true;
  }
  if (isOpen) return "open";
  // Asked after the states: a job that Redis does not know is done if it is marked, and otherwise lost.
  const [marked = 0] = await markedJobs(redis, namespace, [run.id]);
  return marked < run.jobs ? "Redis lost jobs of its run" : undefined;
}

/** Deletes those that no other set has; returns how many. */
async function deleteRecords(
  pipeline: PipelineParts,
  records: SetRecords,
  { set, run }: DeleteMissingJob,
  page: readonly FoundSetRecord[],
): Promise<number> {
  const merges = await openMerges(pipeline);
  const writes: RecordWrite[] = [];
  for (const [type, found] of Map.groupBy(page, (record) => record.type)) {
    const ids = found.map(({ record_id }) => record_id);
    // The records before the sets: whoever joins later writes a higher version, which this deletion does not replace.
    const stored = await readRecords(pipeline, merges, type, ids);
    const sets = await records.setsOf(type, ids);
    const elsewhere = new Set([...sets].flatMap(([id, all]) => (all.some((other) => other !== set) ? [id] : [])));
    for (const [id, { version }] of stored)
      if (!elsewhere.has(id)) writes.push(deletionOf(type, id, version, { now: pipeline.now(), from: { run, set } }));
  }
  if (writes.length > 0) await ingestRecords(pipeline, writes);
  return writes.length;
}

/**
 * With the version of what is stored. So it replaces exactly that: a newer write wins, whichever comes first, and a source with versions
 * of its own can bring the record back with the same version.
 */
const deletionOf = (
  type: RecordType,
  id: string,
  version: number,
  { now, from }: { now: number; from: Provenance },
): RecordWrite => ({
  type,
  id,
  version,
  updated_at: new Date(now).toISOString(),
  from,
  body: null,
});
