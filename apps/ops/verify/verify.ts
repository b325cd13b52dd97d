import { setTimeout as pause } from "node:timers/promises";
import { JOB_FORMATS } from "@tranche/shared/queue/formats";
import { JOB_OPTIONS, QUEUES, type VerifyJob } from "@tranche/shared/queue/queues";
import type { Verification } from "@tranche/shared/verify/verification";
import type { Ops } from "../ops.ts";
import { auditedHere } from "../audit/operator.ts";
import { Failure, Interrupted } from "../terminal/failure.ts";
import { createProgress } from "../terminal/progress.ts";
import { watchForStall } from "../queues/stall.ts";

const LOOK_EVERY_MS = 250;

/** As `runVerify`; the indexer replaces what differs, and the audit log records it. */
export function repairAll(ops: Ops): Promise<Verification> {
  const figures = ({ compared, differing, repaired }: Verification) => ({
    compared: String(compared),
    differing: String(differing),
    repaired: String(repaired),
  });
  return auditedHere(ops, "verify.repair", {}, () => runVerify(ops, { repair: true }), figures);
}

/** Has the indexer compare everything, and waits for it. After Ctrl-C it rejects with Interrupted: the indexer goes on. */
export async function runVerify(ops: Ops, data: VerifyJob): Promise<Verification> {
  const queue = (await ops.engines()).queue<VerifyJob>(QUEUES.verify);
  const { id } = await queue.add("verify", { format: JOB_FORMATS.verify, ...data }, JOB_OPTIONS);
  const progress = createProgress(ops.terminal);
  const checkStall = watchForStall(queue, progress.warn);
  const interrupted = ops.onInterrupt();
  progress.begin("comparing", 100);
  try {
    for (;;) {
      // The state is read first, so the result of an ended job is present when the job is read.
      const state = await queue.getJobState(id!);
      const job = await queue.getJob(id!);
      if (!job) throw new Failure("The comparison was lost because Redis lost its data. Run it again.");
      if (state === "completed") return job.returnvalue as Verification;
      if (state === "failed") throw new Failure(`The comparison failed: ${job.failedReason}`);
      if (interrupted.aborted) throw new Interrupted("Interrupted. The indexer goes on with the comparison.");
      const done = 100 * (typeof job.progress === "number" ? job.progress : 0);
      progress.at(done);
      await checkStall(String(done));
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    progress.stop();
  }
}
