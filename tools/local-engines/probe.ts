import { setTimeout as sleep } from "node:timers/promises";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { Redis } from "ioredis";

/** Resolves when an engine serves; rejects with why it does not. */
export type Probe = () => Promise<void>;

const PROBE_TIMEOUT_MS = 3_000;
const PROBE_EVERY_MS = 250;
/** Elasticsearch often needs most of it. */
const QUIET_MS = 60_000;
const TELL_EVERY_MS = 30_000;

/**
 * Asks for the cluster's health, for some distributions of Elasticsearch have no `GET /`.
 * A cluster that is `red` is still reading its data.
 */
export function elasticsearchProbe(url: string, apiKey?: string): Probe {
  return async () => {
    const client = createSearchClient({ url, apiKey }, { connections: 1, requestTimeoutMs: PROBE_TIMEOUT_MS });
    try {
      const { status } = await client.cluster.health();
      if (status.toLowerCase() === "red") throw new Error("its health is red");
    } finally {
      await client.close();
    }
  };
}

/** Sends PING. A Redis that is still loading its data does not answer it with PONG. */
export function redisProbe(url: string): Probe {
  return async () => {
    const redis = new Redis(url, {
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      enableReadyCheck: false,
      connectTimeout: PROBE_TIMEOUT_MS,
      commandTimeout: PROBE_TIMEOUT_MS,
    });
    let cause: Error | undefined;
    // The rejection often says only that the connection is closed; this event says why.
    redis.on("error", (error: Error) => (cause = error));
    try {
      await redis.connect();
      await redis.ping();
    } catch (error) {
      throw cause ?? error;
    } finally {
      redis.disconnect();
    }
  };
}

export type Wait = {
  /** Without it there is no limit. */
  withinMs?: number;
  /** Called with why the engine does not serve yet, when it takes longer than usual, and then every 30 s. */
  waiting: (reason: string, seconds: number) => void;
  /** Resolves, with a reason, when there is nothing left to wait for. */
  ended?: Promise<string>;
};

/** Waits for an engine that was just started. Rejects with why it does not serve. */
export async function untilServing(probe: Probe, wait: Wait): Promise<void> {
  const begin = Date.now();
  let tellAt = begin + QUIET_MS;
  let over: string | undefined;
  void wait.ended?.then((reason) => (over = reason));
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      const reason = error instanceof Error ? error.message || error.name : String(error);
      if (over !== undefined) throw new Error(over, { cause: error });
      if (Date.now() - begin > (wait.withinMs ?? Number.POSITIVE_INFINITY)) throw new Error(reason, { cause: error });
      if (Date.now() >= tellAt) {
        tellAt = Date.now() + TELL_EVERY_MS;
        wait.waiting(
          reason.includes("ECONNREFUSED") ? "it takes no connections yet" : reason,
          Math.round((Date.now() - begin) / 1000),
        );
      }
      await sleep(PROBE_EVERY_MS);
    }
  }
}
