import { JOB_FORMATS } from "@tranche/shared/queue/formats";
import { JOB_OPTIONS, QUEUES, RESHARD_JOBS, type ReshardJob } from "@tranche/shared/queue/queues";
import type { ReshardedStore, ReshardProgress } from "@tranche/shared/search/resharding";
import { auditedHere } from "../audit/operator.ts";
import type { Ops } from "../context/ops.ts";
import { followJob } from "../queues/follow-job.ts";

/** Has an indexer give every store this number of shards, TRANCHE_SHARDS by default, and waits for it. */
export async function reshardStores(ops: Ops, asked: number | undefined): Promise<ReshardedStore[]> {
  const engines = await ops.engines();
  const shards = asked ?? engines.settings.TRANCHE_SHARDS;
  const queue = engines.queue<ReshardJob>(QUEUES.reshard);
  return auditedHere(ops, "reshard", { shards: String(shards) }, async () => {
    const { id } = await queue.add(RESHARD_JOBS.reshard, { format: JOB_FORMATS.reshard, shards }, JOB_OPTIONS);
    let shown = "";
    return followJob<ReshardedStore[]>(ops, { queue, id: id!, what: "the resharding" }, (progress, job) => {
      const at = job.progress as ReshardProgress | number;
      if (typeof at === "number") return "";
      if (shown !== at.store) progress.begin(`${at.store} (${at.moved + 1} of ${at.of})`, at.documents, "documents");
      shown = at.store;
      progress.at(at.copied);
      return `${at.store} ${at.copied}`;
    });
  });
}
