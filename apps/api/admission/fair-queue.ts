/** Items that wait in one queue for each caller. The queues take turns, so nobody who sends many keeps the items of others waiting. */
type FairQueue = {
  readonly size: number;
  /** Adds an item. A full queue drops one and returns it: the newest item of the caller that has the most, which may be this item. */
  add(caller: string, item: string): string | undefined;
  /** Takes at most `most` items out, one of each caller in turn. */
  take(most: number): string[];
};

/** `room`: for so many items of all callers. */
export function createFairQueue(room: number): FairQueue {
  const queues = new Map<string, string[]>();
  let size = 0;

  /** The longest queue that would still be longer than another if that got one more item. */
  const longerThan = (length: number): string[] | undefined => {
    let longest: string[] | undefined;
    for (const queue of queues.values()) {
      if (queue.length > (longest?.length ?? length + 1)) longest = queue;
    }
    return longest;
  };

  return {
    get size() {
      return size;
    },
    add(caller, item) {
      const queue = queues.get(caller) ?? [];
      const longest = size < room ? undefined : longerThan(queue.length);
      if (size >= room && !longest) return item;
      const left = longest?.pop();
      queue.push(item);
      queues.set(caller, queue);
      if (left === undefined) size++;
      return left;
    },
    take(most) {
      const taken: string[] = [];
      // A queue with more items goes to the end of the map, where this loop comes to it again.
      for (const [caller, queue] of queues) {
        if (taken.length === most) break;
        queues.delete(caller);
        taken.push(queue.shift()!);
        if (queue.length > 0) queues.set(caller, queue);
      }
      size -= taken.length;
      return taken;
    },
  };
}
