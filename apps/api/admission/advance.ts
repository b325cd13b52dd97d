/**
 * Requests charged for rows that are not sent yet. Redis stores their number under a lease that this process renews. If the process is
 * killed, another one refunds them when the lease expires. Each request is refunded at most once.
 */
type Advance = {
  /** Ends the advance and refunds this number of requests. Only the first call counts. Never rejects. */
  end(back: number): Promise<void>;
};

/** How long the lease of an advance lasts. It is renewed three times as often. */
export const ADVANCE_LEASE_MS = 30_000;

/**
 * `settle` stores how many requests to refund when the lease expires (undefined ends the advance), and refunds `back` now.
 * `undelivered`: requests that are not delivered yet.
 */
export function createAdvance(
  settle: (undelivered: number | undefined, back: number) => Promise<unknown>,
  undelivered: () => number,
  leaseMs: number,
): Advance {
  let back: number | undefined;
  const write = async () => {
    const isEnd = back !== undefined;
    try {
      await settle(isEnd ? undefined : undelivered(), back ?? 0);
      if (isEnd) clearInterval(timer);
    } catch {
      // Redis is away. The call is idempotent, so the timer tries again, also after the end.
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
