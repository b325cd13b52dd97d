/**
 * Requests that were charged for something that is still being delivered. Redis has a note of them under a lease, which this process renews:
 * when it is killed, another one gives back what the note says. So they are given back once, whoever does it.
 */
export type Advance = {
  /** Ends it and gives back this number of them. Only the first call counts. Never rejects. */
  end(back: number): Promise<void>;
};

/** An advance is leased for so long, and renewed before. */
export const ADVANCE_LEASE_MS = 30_000;

/**
 * `settle` writes the note: how many requests are to be given back if the lease ends (undefined: the advance ends), and how many now.
 * `ahead`: how many are not delivered at the moment.
 */
export function createAdvance(
  settle: (ahead: number | undefined, back: number) => Promise<unknown>,
  ahead: () => number,
  leaseMs: number,
): Advance {
  let back: number | undefined;
  const write = async () => {
    const isEnd = back !== undefined;
    try {
      await settle(isEnd ? undefined : ahead(), back ?? 0);
      if (isEnd) clearInterval(timer);
    } catch {
      // Redis is away. Writing it twice does no harm, so the timer tries again, also after the end.
    }
  };
  const timer = setInterval(() => void write(), leaseMs / 3).unref();
  return {
    async end(part) {
      if (back !== undefined) return;
      back = part;
      await write();
    },
  };
}
