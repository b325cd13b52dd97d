import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";

/** `awayMs`: so long may the new index lack a primary shard while the old one has all of its own. */
export type Patience = { lookEveryMs: number; awayMs: number };
const PATIENCE: Patience = { lookEveryMs: 1000, awayMs: 20_000 };

/**
 * Does work that fills the new index `to`, and returns its result. Throws when a shard of it is lost with its node: writes to the store
 * wait for the work, which would wait for that shard. While shards of the old index are away, too, it goes on waiting.
 */
export async function whileWhole<T>(
  client: Client,
  { from, to }: { from: string; to: string },
  work: () => Promise<T>,
  patience = PATIENCE,
): Promise<T> {
  const ended = new AbortController();
  const working = work();
  working.catch(() => {});
  try {
    return await Promise.race([working, untilLost(client, { from, to }, patience, ended.signal)]);
  } finally {
    ended.abort();
  }
}

/** Rejects when a shard is lost; never ends otherwise. */
async function untilLost(
  client: Client,
  { from, to }: { from: string; to: string },
  { lookEveryMs, awayMs }: Patience,
  signal: AbortSignal,
): Promise<never> {
  for (let whole = Date.now(); ;) {
    await pause(lookEveryMs, undefined, { signal }).catch(() => new Promise<never>(() => {}));
    const { indices = {} } = await client.cluster
      .health({ index: [from, to], level: "indices" }, { signal })
      .catch(() => ({ indices: undefined }));
    const lacks = (index: string) => {
      const health = indices[index];
      return !health || health.active_primary_shards < health.number_of_shards;
    };
    if (lacks(from) || !lacks(to)) whole = Date.now();
    if (Date.now() - whole < awayMs) continue;
    throw new Error(
      `a shard of ${to} was away for ${awayMs / 1000} s, and what is to be written to ${from} does not wait longer`,
    );
  }
}
