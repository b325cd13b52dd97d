import { readFileSync } from "node:fs";
import type { WebhookParts } from "./parts.ts";

/** Longer than reading changes and an attempt to send them take. */
const LEASE_MS = 30_000;
const TAKE_TURN = readFileSync(new URL("./take-turn.lua", import.meta.url), "utf8");
const END_TURN = readFileSync(new URL("./end-turn.lua", import.meta.url), "utf8");

/**
 * The holder of the turn while a webhook's job delivers. A webhook has one such job at a time, so the indexer that continues after a kill
 * need not wait for the end of the lease.
 */
export const DELIVERIES = "deliveries";

/**
 * Reads documents and sends them to a webhook while nobody else does so, in any indexer: otherwise an older state could arrive after a newer
 * one. Undefined when it is somebody else's turn.
 */
export async function inTurn<T>(
  { redis, namespace }: Pick<WebhookParts, "redis" | "namespace">,
  webhook: string,
  who: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const key = `{${namespace}}:webhook-turn:${webhook}`;
  if ((await redis.eval(TAKE_TURN, 1, key, who, LEASE_MS)) !== 1) return undefined;
  try {
    return await work();
  } finally {
    // Without Redis the lease ends by itself.
    await redis.eval(END_TURN, 1, key, who).catch(() => {});
  }
}
