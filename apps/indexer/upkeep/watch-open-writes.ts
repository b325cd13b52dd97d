import { setTimeout as pause } from "node:timers/promises";
import { correctOpenSince } from "@tranche/shared/protocol/queue/open-writes";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";

type Parts = {
  redis: RedisClient;
  namespace: string;
  log: { warn: (details: object, text: string) => void };
  /** Between two corrections, in ms. */
  everyMs: number;
};

/** Corrects again and again since when a write waits to be searchable, for callers of the API. All indexers do so. Ends when aborted. */
export async function watchOpenWrites({ redis, namespace, log, everyMs }: Parts, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    try {
      await correctOpenSince(redis, namespace);
    } catch (error) {
      log.warn({ err: error }, "the age of the oldest open write could not be noted; the next try follows");
    }
    await pause(everyMs, undefined, { signal: until }).catch(() => {});
  }
}
