/** The steps of one round of maintenance. */
export type Maintenance = {
  /** Derives again the documents in notes whose writers died. */
  publishOrphans: () => Promise<unknown>;
  /** The same with those that were written under numbers that Redis has lost. */
  publishLost: () => Promise<unknown>;
  /** Brings the feed of changes in line with the roles of the indices; returns whether differences between them are still to publish. */
  isFeedDue: () => Promise<boolean>;
  isRebuilding: () => Promise<boolean>;
  /** Enqueues the rebuild job, unless one is queued. It also publishes what is due in the feed. */
  resumeRebuild: () => Promise<unknown>;
  /** Takes the indices from before the last rebuild out of service when their time is over. */
  retire: () => Promise<void>;
  /** Deletes indices without a role. */
  prune: () => Promise<void>;
  /** Enqueues a pass over pending documents and investors that no job waits for. */
  resumePending: () => Promise<void>;
  closeRuns: () => Promise<void>;
};

/**
 * One round: reconciles the feed of changes with the roles, resumes a rebuild whose job was lost, or clears away what finished rebuilds
 * left, resumes the derivation of pending documents, and closes finished ingest runs. Prune comes
 * after retire, so that it deletes the indices that have just lost their role.
 */
export async function maintain(steps: Maintenance): Promise<void> {
  await steps.publishOrphans();
  await steps.publishLost();
  // Before indices are retired: the due differences refer to them.
  const isFeedDue = await steps.isFeedDue();
  if (isFeedDue || (await steps.isRebuilding())) await steps.resumeRebuild();
  else {
    await steps.retire();
    await steps.prune();
  }
  await steps.resumePending();
  await steps.closeRuns();
}
