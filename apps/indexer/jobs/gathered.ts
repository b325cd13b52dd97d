/** Works on the items of one job and says what became of them. */
export type Work<Item, Result> = (items: readonly Item[]) => Promise<Result>;

type Waiting<Item, Result> = { items: readonly Item[]; end: PromiseWithResolvers<Result> };

/**
 * Makes one batch of the jobs that wait while others are worked on, for what a batch costs beside its items (searches, refreshes)
 * is paid once. A job that comes while there is nothing to do does not wait. `lanes` batches are worked on at once, each with at
 * most `maxItems` items, or one job. When a batch fails, each of its jobs is done again by itself, so that none fails for another.
 */
export function gathered<Item, Result>(
  work: Work<Item, Result>,
  { lanes, maxItems }: { lanes: number; maxItems: number },
): Work<Item, Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let idle = lanes;

  const nextBatch = (): Waiting<Item, Result>[] => {
    let size = 0;
    const full = waiting.findIndex(({ items }) => (size += items.length) > maxItems);
    return waiting.splice(0, full < 0 ? waiting.length : Math.max(1, full));
  };
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
  const lane = async () => {
    idle--;
    while (waiting.length > 0) await together(nextBatch());
    idle++;
  };

  return (items) => {
    const end = Promise.withResolvers<Result>();
    waiting.push({ items, end });
    if (idle > 0) void lane();
    return end.promise;
  };
}
