import { recordMeasurement, type Sample } from "../load/sample.ts";
import type { Api } from "../environment/api.ts";

type Page = { data: { id: string; row?: { amount_usd: number | null } }[]; next: string };

/** A reader of the feed of rounds that waits for changes, and remembers when it first had an amount. */
export type Follower = {
  /** When the feed had this amount, in ms of `performance.now()`; undefined while it has not. */
  seenAt(amount: number): number | undefined;
  changes(): number;
  stop(): Promise<void>;
};

export function follow({ origin, key }: Api): Follower {
  const ending = new AbortController();
  const seen = new Map<number, number>();
  let changes = 0;
  const following = (async () => {
    let since = "";
    while (!ending.signal.aborted) {
      const answer = await fetch(`${origin}/api/v1/funding/changes?limit=1000&wait=5${since && `&since=${since}`}`, {
        headers: { authorization: `Bearer ${key}` },
        signal: ending.signal,
      }).catch(() => undefined);
      if (!answer) return;
      if (!answer.ok) throw new Error(`/funding/changes: ${answer.status} ${await answer.text()}`);
      const { data, next } = (await answer.json()) as Page;
      const now = performance.now();
      changes += data.length;
      for (const { row } of data)
        if (row?.amount_usd && !Number.isInteger(row.amount_usd)) seen.set(row.amount_usd, now);
      since = next;
    }
  })();
  return {
    seenAt: (amount) => seen.get(amount),
    changes: () => changes,
    async stop() {
      ending.abort();
      await following.catch((error: Error) => {
        if (error.name !== "AbortError") throw error;
      });
    },
  };
}

/** Measures how long after the list shows an amount the feed has it. Throws after 30 s. */
export async function measureDelay(
  { api, follower, write }: { api: Api; follower: Follower; write: (amount: number) => Promise<void> },
  sample: Sample,
): Promise<void> {
  // No other round has an amount in cents.
  const amount = 1_000_000 + (Date.now() % 1_000_000) + 0.37;
  await write(amount);
  const address = `${api.origin}/api/v1/funding?min_amount_usd=${amount}&max_amount_usd=${amount}`;
  const end = performance.now() + 30_000;
  let listedAt: number | undefined;
  for (;;) {
    const seenAt = follower.seenAt(amount);
    if (listedAt === undefined) {
      const answer = await fetch(address, { headers: { authorization: `Bearer ${api.key}` } });
      const { data } = (await answer.json()) as { data?: unknown[] };
      if (data?.length) listedAt = performance.now();
    }
    if (listedAt !== undefined && seenAt !== undefined)
      return recordMeasurement(sample, Math.max(0, seenAt - listedAt));
    if (performance.now() > end) throw new Error(`the feed did not have ${amount} within 30 s`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
