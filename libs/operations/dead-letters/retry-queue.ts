import { audited, type AuditLog } from "@tranche/shared/accounts/audit-log";
import type { Queue } from "bullmq";

/** Retries all failed jobs of a queue, records that in the audit log and returns their number. One that fails again meanwhile is left alone. */
export async function retryQueue(log: AuditLog, queue: Queue): Promise<number> {
  const work = async () => {
    const failed = await queue.getFailedCount();
    await queue.retryJobs({ state: "failed" });
    return failed;
  };
  return audited(log, "failed.retry", { queue: queue.name, ids: "all" }, work, (retried) => ({
    retried: String(retried),
  }));
}
