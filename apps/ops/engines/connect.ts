import { setTimeout as pause } from "node:timers/promises";
import { createQueueConnection } from "@tranche/shared/queue/connection";
import { createSearchClient, engineTrouble, isEngineError } from "@tranche/shared/search/client";
import { createInstallation, type Installation } from "@tranche/operations/installation/installation";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { untilSearchable } from "@tranche/shared/search/searchable";
import { shownAddress, waitForEngine } from "@tranche/shared/search/wait";
import type { Settings } from "@tranche/shared/settings/settings";
import type { Redis } from "ioredis";
import { Failure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The two stores of one installation, connected and answering. */
export type Engines = Installation & { close(): Promise<void> };

const ANSWER_WITHIN_MS = 2000;
/** Another process may be creating the indices at this moment. */
const SEARCHABLE_WITHIN_S = 10;

/**
 * Connects to Elasticsearch and Redis and creates missing indices. Waits for an engine that is away and reports that. Rejects, with the
 * engine and its address, when an engine does not answer within a minute or refuses the credentials.
 */
export async function connectEngines(settings: Settings, terminal: Terminal): Promise<Engines> {
  const client = createSearchClient(
    { url: settings.ELASTICSEARCH_URL, apiKey: settings.ELASTICSEARCH_API_KEY, caFile: settings.ELASTICSEARCH_CA_FILE },
    { connections: 4, requestTimeoutMs: 60_000 },
  );
  const redis = createQueueConnection(settings.REDIS_URL, "tranche-ops", settings.REDIS_CA_FILE);
  // ioredis reconnects after each error; `tellOutages` prints what people need to know.
  redis.on("error", () => {});
  const installation = createInstallation(settings, { client, redis, tell: terminal.tell });
  const close = async () => {
    redis.removeAllListeners("close");
    await Promise.race([installation.closeQueues(), pause(1000)]);
    redis.disconnect();
    await client.close();
  };
  try {
    await Promise.all([
      waitUntilIn("Elasticsearch", "ELASTICSEARCH_URL", settings.ELASTICSEARCH_URL, terminal, () =>
        client.cluster.health({ timeout: "1s" }, { requestTimeout: ANSWER_WITHIN_MS }),
      ),
      waitUntilIn("Redis", "REDIS_URL", settings.REDIS_URL, terminal, () => ping(redis)),
    ]);
    const layout = { shards: settings.TRANCHE_SHARDS, replicas: settings.TRANCHE_REPLICAS };
    const unsearchable = await untilSearchable(
      client,
      await ensureIndices(client, installation.names, layout),
      SEARCHABLE_WITHIN_S,
    );
    if (unsearchable.length > 0)
      terminal.tell(
        `Elasticsearch has no shard of ${unsearchable.join(", ")}; commands that need it wait or fail until it has. Its logs and GET _cluster/allocation/explain say why.`,
      );
  } catch (error) {
    await close();
    throw error;
  }
  tellOutages(redis, shownAddress(settings.REDIS_URL), terminal);
  return { ...installation, close };
}

/** Waits for an engine that is away. A refusal (a wrong password, for example) is an error at once, because waiting does not help. */
async function waitUntilIn(
  engine: string,
  setting: string,
  url: string,
  terminal: Terminal,
  ask: () => Promise<unknown>,
): Promise<void> {
  const address = shownAddress(url);
  const answers = async () => {
    try {
      await ask();
    } catch (error) {
      if (isRefusal(error as Error)) return error as Error;
      throw error;
    }
    return undefined;
  };
  let refused: Error | undefined;
  await waitForEngine(engine, address, async () => (refused = await answers()), terminal.tell);
  if (refused)
    throw new Failure(
      `${engine} at ${address} refuses the connection: ${refused.message}. Check ${setting} and its credentials.`,
    );
}

function isRefusal(error: Error): boolean {
  return (
    /^(NOAUTH|WRONGPASS|NOPERM)/.test(error.message) || (isEngineError(error) && engineTrouble(error) === "refused")
  );
}

/** The connection waits for Redis for ever, so a question has a limit of its own. */
async function ping(redis: Redis): Promise<void> {
  let trouble = new Error(`no answer within ${ANSWER_WITHIN_MS} ms`);
  const note = (error: Error) => (trouble = error);
  redis.on("error", note);
  const late = new AbortController();
  try {
    await Promise.race([
      redis.ping(),
      pause(ANSWER_WITHIN_MS, undefined, { signal: late.signal }).then(() => Promise.reject(trouble)),
    ]);
  } finally {
    late.abort();
    redis.off("error", note);
  }
}

function tellOutages(redis: Redis, address: string, terminal: Terminal): void {
  let away = false;
  redis.on("close", () => {
    if (!away) terminal.tell(`Redis at ${address} is away; waiting for it to come back …`);
    away = true;
  });
  redis.on("ready", () => {
    if (away) terminal.tell("Redis is back.");
    away = false;
  });
}
