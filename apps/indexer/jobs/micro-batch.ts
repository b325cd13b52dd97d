/** Works on items and says what became of them. */
type Work<Item, Result> = (items: readonly Item[]) => Promise<Result>;
/** The same for the items of one job; it rejects when `lost` says that the job is not this process's any more and it has not begun. */
type Submit<Item, Result> = (items: readonly Item[], lost?: AbortSignal) => Promise<Result>;

type Waiting<Item, Result> = { items: readonly Item[]; end: PromiseWithResolvers<Result> };

export type MicroBatching = {
  /** Batches that are worked on at once. */
  lanes: number;
  /** A batch has no more items than this, but for one job that is larger. */
  maxItems: number;
  /** No more jobs than this are ever given at once: when so many are here, no other one comes. */
  maxJobs: number;
  /** A batch that more could be put to begins no sooner than so long after the one before, and not while another is worked on. */
  paceMs: number;
};

/**
 * Makes one batch of the jobs that come while others are worked on, for what a batch costs beside its items (searches, refreshes,
 * everything that readers remember) is paid once. A job that comes after a pause does not wait. When a batch fails, each of its
 * jobs is done again by itself, so that none fails for another.
 */
export function microBatch<Item, Result>(
  work: Work<Item, Result>,
  { lanes, maxItems, maxJobs, paceMs }: MicroBatching,
): Submit<Item, Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let idle = lanes;
  let here = 0;
  let begun = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const nextBatch = (): Waiting<Item, Result>[] => {
    let size = 0;
    const full = waiting.findIndex(({ items }) => (size += items.length) > maxItems);
    return waiting.splice(0, full < 0 ? waiting.length : Math.max(1, full));
  };
  const isFull = () => here >= maxJobs || waiting.reduce((size, { items }) => size + items.length, 0) >= maxItems;
  const alone = ({ items, end }: Waiting<Item, Result>) => work(items).then(end.resolve, end.reject);
  const together = async (batch: Waiting<Item, Result>[]) => {
    if (batch.length === 1) return alone(batch[0]!);
    try {
      const result = await work(batch.flatMap(({ items }) => items));
      for (const { end } of batch) end.resolve(result);
    } catch {
      for (const job of batch) await alone(job);
    }
  };
  const begin = () => {
    clearTimeout(timer);
    timer = undefined;
    if (idle === 0 || waiting.length === 0) return;
    if (!isFull()) {
      if (idle < lanes) return;
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

  return (items, lost) => {
    const job = { items, end: Promise.withResolvers<Result>() };
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
