/**
 * Pauses in ms that spare the engines, and that nobody needs for a right answer. What detects a failure (silence, leases, locks, time
 * limits) is not among them.
 */
const PAUSES = {
  /** From the begin of one batch of records to the next: single records become visible about once per second. */
  ingestBatch: 1000,
  /** From the first pending investor to the pass over all of them: a load adds the same ones again and again. */
  investorsPass: 500,
  /** Between looks for changes that webhooks have not got. */
  webhooksLook: 500,
  /** Between looks for changes that follows have not told, and for digests that nobody has mailed. */
  followsLook: 5000,
  /** Between looks for webhooks that were paused and whose members have got no mail. */
  pausedWebhooksLook: 10_000,
  /** Between writes of request counts and of refused requests for charts and lists. */
  usageWrite: 1000,
  /** Between writes of who sends what, for operators. */
  requestSumsWrite: 2000,
  /** Between writes of last uses of keys. Each needs a refresh of the index to be seen. */
  lastUsesWrite: 5000,
  /** Before a document that differs is compared again. The second and third pause are three and six times as long. */
  differing: 500,
  /** Between counts of the documents in a new index and in the live one. */
  rebuildCount: 250,
  /** Between passes over documents that readers of the feed may have missed, and that somebody else writes. */
  feedDue: 500,
  /** Between looks whether this version may write to the indices again. */
  versionLook: 5000,
  /** Between looks for news of the feed, which all waiting requests of a process share. */
  feedLook: 200,
  /** The time for which positions of the feed by time share what was read of its notes, and of the oldest change. */
  feedNotesKept: 10_000,
  /** Between writes of the age of the oldest write that is not searchable yet. */
  openWrites: 500,
  /** Between looks for fields that documents of the live index lack. */
  lackingFields: 10_000,
  /** Between looks at the file of plans. */
  plansLook: 1000,
  /** Between looks of a command at the work that it waits for. */
  commandLook: 250,
  /** The time for which open pages of operators share a reading of the status, and of the queues. */
  operatorReadings: 1000,
  /** The time for which requests share an answer of `/freshness`, which costs no quota. */
  freshness: 1000,
  /** Between looks whether the token of an upload still works. */
  tokenLook: 2000,
  /** Before a webhook is tried again whose feed is closed, was not looked at yet, or hides a removal. */
  webhookFeed: 2000,
  /** Between looks whether everything of a run is stored, so that what its set no longer has can be deleted. */
  storedRunLook: 1000,
  /** Between looks whether the jobs have ended that change documents. */
  jobsEndLook: 200,
};

export type Timing = Readonly<Record<keyof typeof PAUSES, number>>;

/** The pauses, each this part of the usual one. */
export const createTiming = (part: number): Timing =>
  Object.fromEntries(Object.entries(PAUSES).map(([name, ms]) => [name, Math.ceil(ms * part)])) as Timing;
