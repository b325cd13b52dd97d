import { setTimeout as pause } from "node:timers/promises";
import { JOB_OPTIONS, QUEUES, type VerifyJob } from "@tranche/shared/queue/queues";
import type { Verification } from "@tranche/shared/verify/verification";
import type { Ops } from "../ops.ts";
import { auditedHere } from "../state/operator.ts";
import { Failure } from "../terminal/failure.ts";
import { createProgress } from "../terminal/progress.ts";

const LOOK_EVERY_MS = 250;
const STANDSTILL_MS = 15_000;

/** As `runVerify`; the indexer writes what differs, and the audit log says so. */
export function repairAll(ops: Ops): Promise<Verification> {
  const figures = ({ compared, differing, repaired }: Verification) => ({
    compared: String(compared),
    differing: String(differing),
    repaired: String(repaired),
  });
  return auditedHere(ops, "verify.repair", {}, () => runVerify(ops, { repair: true }), figures);
}

/** Has the indexer compare everything, and waits for it. */
export async function runVerify(ops: Ops, data: VerifyJob): Promise<Verification> {
  const queue = (await ops.engines()).queue<VerifyJob>(QUEUES.verify);
  const { id } = await queue.add("verify", data, JOB_OPTIONS);
  const progress = createProgress(ops.terminal);
  progress.begin("comparing", 100);
  let [last, since, told] = [-1, Date.now(), false];
  try {
    for (;;) {
      // The state first: what a job read after it has ended returns is there.
      const state = await queue.getJobState(id!);
      const job = await queue.getJob(id!);
      if (!job) throw new Failure("The comparison was lost: Redis has lost its data. Start it again.");
      if (state === "completed") return job.returnvalue as Verification;
      if (state === "failed") throw new Failure(`The comparison failed: ${job.failedReason}`);
      const done = 100 * (typeof job.progress === "number" ? job.progress : 0);
      progress.at(done, "");
      if (done !== last) [last, since, told] = [done, Date.now(), false];
      if (!told && Date.now() - since > STANDSTILL_MS) {
        told = true;
        progress.tell(
          (await queue.getWorkersCount()) === 0
            ? "No indexer is running, and it does the comparing: `npm run indexer` starts one. Waiting …"
            : "Nothing has moved for a while: the indexer's log says why. Waiting …",
        );
      }
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    progress.stop();
  }
}
