import { JOB_FORMATS } from "@tranche/shared/protocol/queue/formats";
import { JOB_OPTIONS, QUEUES, type VerifyJob } from "@tranche/shared/protocol/queue/queues";
import type { Verification } from "@tranche/shared/protocol/rebuild/verification";
import type { Ops } from "../context/ops.ts";
import { auditedHere } from "../context/operator.ts";
import { followJob } from "./follow-job.ts";

/** As `runVerify`; the indexer replaces what differs, and the audit log records it. */
export function repairAll(ops: Ops): Promise<Verification> {
  const figures = ({ compared, differing, repaired }: Verification) => ({
    compared: String(compared),
    differing: String(differing),
    repaired: String(repaired),
  });
  return auditedHere(ops, "verify.repair", {}, () => runVerify(ops, { repair: true }), figures);
}

/** Has the indexer compare everything, and waits for it. After Ctrl-C it rejects with Interrupted: the indexer continues. */
export async function runVerify(ops: Ops, data: VerifyJob): Promise<Verification> {
  const queue = (await ops.engines()).queue<VerifyJob>(QUEUES.verify);
  const { id } = await queue.add("verify", { format: JOB_FORMATS.verify, ...data }, JOB_OPTIONS);
  let begun = false;
  return followJob<Verification>(ops, { queue, id: id!, what: "the comparison" }, (progress, job) => {
    if (!begun) progress.begin("comparing", 100);
    begun = true;
    const done = 100 * (typeof job.progress === "number" ? job.progress : 0);
    progress.at(done);
    return String(done);
  });
}
