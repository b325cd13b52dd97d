import type { WorkedQueue } from "@tranche/shared/protocol/queue/formats";
import { QUEUES, runOf } from "@tranche/shared/protocol/queue/queues";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import type { Job } from "bullmq";
import { deriveDocuments } from "../pipeline/derive-documents.ts";
import { deriveDue } from "../pipeline/due.ts";
import { deriveFanout } from "../pipeline/fanout.ts";
import { derivePendingInvestors } from "../pipeline/pending-investors.ts";
import { settled } from "../pipeline/settled.ts";
import type { PipelineParts } from "../pipeline/parts.ts";
import type { IndexerQueues } from "../pipeline/queues.ts";
import type { RebuildParts } from "../rebuild/parts.ts";
import { runRebuild } from "../rebuild/rebuild.ts";
import type { SliceStore } from "../rebuild/slice-store.ts";
import { type DayStore, recordDay } from "../upkeep/clock-day.ts";
import type { Upkeep } from "../upkeep/create-upkeep.ts";
import { deriveForExplanation } from "../rebuild/derive-for-explanation.ts";
import { verifyAll } from "../rebuild/verify-all.ts";
import { assertNamed, documentsOf, explainOf, isAgain, verifyOf } from "./data.ts";
import { deleteMissingOfSet } from "./delete-missing.ts";
import { slicedWorks } from "./sliced-works.ts";
import { doSlice } from "./slices.ts";
import { upkeep } from "./upkeep.ts";

export type HandlerParts = {
  pipeline: PipelineParts;
  queues: Pick<IndexerQueues, "ingest" | "copy">;
  /** The number of derivations that wait. */
  waiting: () => Promise<number>;
  days: DayStore;
  rebuild: Pick<RebuildParts, "rebuilds" | "layout" | "redis" | "namespace">;
  slices: SliceStore;
  upkeep: Upkeep;
  /** Ends a pass over documents early, and puts back what waits for slices. */
  until: AbortSignal;
};

/** Ingest jobs are combined, and jobs of webhooks are put back for later: they have workers of their own. */
export type HandledQueue = Exclude<WorkedQueue, "ingest" | "webhooks">;

/** Does the work of a job; its result is logged. */
type Handler = (job: Job) => Promise<unknown>;

/** The work of each queue whose jobs are done one by one. */
export function createHandlers(parts: HandlerParts): Record<HandledQueue, Handler> {
  const { pipeline, queues, rebuild, slices, until } = parts;
  const isBusy = async () => (await queues.ingest.getJobCountByTypes("waiting", "active")) > 0;
  const sharing = { slices, queue: queues.copy, until };
  const works = slicedWorks({ ...pipeline, rebuilds: rebuild.rebuilds, waiting: parts.waiting, until });
  const deleting = { pipeline, ingest: queues.ingest, redis: rebuild.redis, namespace: rebuild.namespace, until };
  return {
    async [QUEUES.derive](job) {
      const { rounds, companies, investors, again } = documentsOf(job);
      const documents = { rounds: new Set(rounds), companies: new Set(companies), investors: new Set(investors) };
      if (again === false) await settled(pipeline.tickets, until);
      return deriveDocuments(pipeline, documents, { again: again || isAgain(job) });
    },
    async [QUEUES.fanout](job) {
      assertNamed(job, "fanout");
      return deriveFanout(pipeline, { isBusy, until, again: isAgain(job) });
    },
    async [QUEUES.investors](job) {
      assertNamed(job, "investors");
      return derivePendingInvestors(pipeline, { isBusy, until });
    },
    [QUEUES.upkeep]: (job) =>
      upkeep(job, { ...parts.upkeep, deleteMissing: (asked) => deleteMissingOfSet(deleting, asked) }),
    async [QUEUES.due](job) {
      assertNamed(job, "due");
      await recordDay(parts.days, isoDay(dayOfTime(pipeline.now())));
      return deriveDue(pipeline, { isBusy, until, again: isAgain(job) });
    },
    async [QUEUES.rebuild](job) {
      assertNamed(job, "rebuild");
      return runRebuild({
        ...pipeline,
        ...rebuild,
        slices,
        copyQueue: queues.copy,
        until,
        onProgress: (done) => job.updateProgress(done),
      });
    },
    async [QUEUES.copy](job) {
      // The slices of a later version's rebuild are for its indexers: documents of this version lack what they derive.
      await pipeline.versions.admit(await readIndexRoles(pipeline.client, pipeline.names));
      return doSlice(job, works, sharing);
    },
    async [QUEUES.verify](job) {
      assertNamed(job, "verify");
      return verifyAll(
        { ...pipeline, ...sharing },
        { ...verifyOf(job), run: runOf(job), onProgress: (done) => job.updateProgress(done) },
      );
    },
    async [QUEUES.explain](job) {
      assertNamed(job, "explain");
      return deriveForExplanation(pipeline, explainOf(job));
    },
  };
}
