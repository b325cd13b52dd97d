import type { Client } from "@elastic/elasticsearch";
import { unwritable } from "@tranche/shared/search/unwritable";
import { type Wait, watched } from "../write/watched.ts";

/** `awayMs`: so long may the new index lack a primary shard while the old one has all of its own. */
export type ShardLossTimeouts = { lookEveryMs: number; awayMs: number };
const TIMEOUTS: ShardLossTimeouts = { lookEveryMs: 1000, awayMs: 20_000 };

/**
 * Does work that fills the new index `to`, and returns its result. Throws when a shard of it is lost with its node: writes to the store
 * wait for the work, which would wait for that shard. While shards of the old index are away, too, it keeps waiting.
 */
export function whileWhole<T>(
  client: Client,
  indices: { from: string; to: string },
  work: () => Promise<T>,
  timeouts = TIMEOUTS,
): Promise<T> {
  return watched(work, (wait) => untilLost(client, indices, timeouts, wait));
}

/** Rejects when a shard is lost. */
async function untilLost(
  client: Client,
  { from, to }: { from: string; to: string },
  { lookEveryMs, awayMs }: ShardLossTimeouts,
  wait: Wait,
): Promise<never> {
  for (let whole = Date.now(); ;) {
    await wait(lookEveryMs);
    const lacking = await unwritable(client, [from, to]).catch(() => undefined);
    if (!lacking || lacking.has(from) || !lacking.has(to)) whole = Date.now();
    if (Date.now() - whole < awayMs) continue;
    throw new Error(
      `a shard of ${to} was away, or its disk nearly full, for ${awayMs / 1000} s, and what is to be written to ${from} does not wait longer`,
    );
  }
}
