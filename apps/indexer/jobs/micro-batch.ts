import { AsyncLocalStorage } from "node:async_hooks";

/** Processes items and returns the result. `again`: the batch that they were in has failed. `since`: the least one of their jobs. */
type Work<Item, Result> = (items: readonly Item[], batch: { again: boolean; since: number }) => Promise<Result>;
/**
 * The same for the items of one job, which was made at `since` (ms). Rejects when `lost` aborts before the job has begun, because
 * another process may take it.
 */
type Submit<Item, Result> = (items: readonly Item[], since: number, lost?: AbortSignal) => Promise<Result>;

type Waiting<Item, Result> = {
  items: readonly Item[];
  since: number;
  end: PromiseWithResolvers<Result>;
  /** Runs work in the context of the job's submitter: whoever begins a batch may be another one. */
  inContext: ReturnType<typeof AsyncLocalStorage.snapshot>;
};

export type MicroBatching = {
  /** Concurrent batches. */
  concurrency: number;
  /** The most items in a batch. A larger job is a batch of its own. */
  maxItems: number;
  /** The most jobs at once. When this many wait, a batch does not wait for more. */
  maxJobs: number;
  /** A batch that is not full begins at least this long (ms) after the one before, and not while another one runs. */
  paceMs: number;
};

/**
 * Combines jobs that arrive while others run into one batch, because the fixed cost of a batch (searches, refreshes, invalidated
 * caches) is then paid once. A job that arrives after a pause does not wait. When a batch fails, each of its jobs runs again by
 * itself, so that no job fails because of another.
 */
export function microBatch<Item, Result>(
  work: Work<Item, Result>,
  { concurrency, maxItems, maxJobs, paceMs }: MicroBatching,
): Submit<Item, Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let idle = concurrency;
  let here = 0;
  let begun = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const nextBatch = (): Waiting<Item, Result>[] => {
    let size = 0;
    const full = waiting.findIndex(({ items }) => (size += items.length) > maxItems);
    return waiting.splice(0, full < 0 ? waiting.length : Math.max(1, full));
  };
  const isFull = () => here >= maxJobs || waiting.reduce((size, { items }) => size + items.length, 0) >= maxItems;
  const alone = ({ items, since, end, inContext }: Waiting<Item, Result>, again: boolean) =>
    inContext(() => work(items, { again, since })).then(end.resolve, end.reject);
  const together = async (batch: Waiting<Item, Result>[]) => {
    if (batch.length === 1) return alone(batch[0]!, false);
    try {
      const items = batch.flatMap((job) => job.items);
      const since = Math.min(...batch.map((job) => job.since));
      const result = await batch[0]!.inContext(() => work(items, { again: false, since }));
      for (const { end } of batch) end.resolve(result);
    } catch {
      for (const job of batch) await alone(job, true);
    }
  };
  const begin = () => {
    clearTimeout(timer);
    timer = undefined;
    if (idle === 0 || waiting.length === 0) return;
    if (!isFull()) {
      if (idle < concurrency) return;
      const wait = begun + paceMs - performance.now();
      if (wait > 0) {
        timer = setTimeout(begin, wait);
        return;
      }
    }
    const batch = nextBatch();
    idle--;
    begun = performance.now();
    void together(batch).finally(() => {
      idle++;
      here -= batch.length;
      begin();
    });
    begin();
  };

  return (items, since, lost) => {
    const job = { items, since, end: Promise.withResolvers<Result>(), inContext: AsyncLocalStorage.snapshot() };
    waiting.push(job);
    here++;
    lost?.addEventListener("abort", () => {
      const position = waiting.indexOf(job);
      if (position < 0) return;
      waiting.splice(position, 1);
      here--;
      job.end.reject(new Error("the job was lost before it was begun", { cause: lost.reason }));
    });
    begin();
    return job.end.promise;
  };
}
