/**
 * Pauses in ms that spare the engines, and that nobody needs for a right answer. What detects a failure (silence, leases, locks, time
 * limits) is not among them.
 */
const PAUSES = {
  /** From the begin of one batch of records to the next: single records become visible about once per second. */
  ingestBatch: 1000,
  /** From the first noted investor to the pass over them: a load notes the same ones again and again. */
  investorsPass: 500,
  /** Between looks for changes that webhooks have not got. */
  webhooksLook: 500,
  /** Between looks for webhooks that were paused and whose members have got no mail. */
  pausedWebhooksLook: 10_000,
  /** Between writes of request counts and of refused requests for charts and lists. */
  usageWrite: 1000,
  /** Between writes of last uses of keys. Each needs a refresh of the index to be seen. */
  lastUsesWrite: 5000,
};

export type Timing = Readonly<Record<keyof typeof PAUSES, number>>;

/** The pauses, each this part of the usual one. */
export const createTiming = (part: number): Timing =>
  Object.fromEntries(Object.entries(PAUSES).map(([name, ms]) => [name, Math.ceil(ms * part)])) as Timing;
