import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { shownRedisAddress } from "@tranche/shared/process/redis-address";
import { nameOfNode, onEachNode } from "@tranche/shared/engines/redis/nodes";
import { REFUSED } from "@tranche/shared/engines/redis/refused-writes";
import { onConnectionError, reachRedis, connectionErrorText } from "@tranche/shared/engines/redis/connection-errors";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { createSearchClient, searchFailureKind, isEngineError } from "@tranche/shared/engines/search/client";
import { createInstallation, type Installation } from "@tranche/operations/installation/installation";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { installationProblem } from "@tranche/shared/engines/search/installation-format";
import { untilSearchable } from "@tranche/shared/engines/search/searchable";
import { shownAddress, waitForEngine } from "@tranche/shared/engines/search/wait";
import { elasticsearchOf } from "@tranche/shared/engines/from-settings";
import type { Settings } from "@tranche/shared/process/settings";
import type { Tracing } from "@tranche/shared/process/tracing";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { Redis } from "ioredis";
import { Failure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { reportWaits } from "./waits.ts";

/** The two stores of one installation, connected and answering. */
export type Engines = Installation & { close(): Promise<void> };

const ANSWER_WITHIN_MS = 2000;
/** Another process may be creating the indices at this moment. */
const SEARCHABLE_WITHIN_S = 10;

/**
 * Connects to Elasticsearch and Redis and creates missing indices. Waits for an engine that is away and reports that. Rejects, with the
 * engine and its address, when an engine does not answer within a minute or refuses the credentials, and when they hold an installation that
 * this version can't use. `beforeWait`: what to say before the first report of a wait, if anything.
 */
export async function connectEngines(
  settings: Settings,
  terminal: Terminal,
  { tracing, beforeWait }: { tracing?: Tracing | undefined; beforeWait?: () => string | undefined } = {},
): Promise<Engines> {
  const client = createSearchClient(elasticsearchOf(settings), { connections: 4, requestTimeoutMs: 60_000 });
  const redis = createQueueConnection(settings.REDIS_URL, "tranche-ops", settings.REDIS_CA_FILE);
  // ioredis reconnects after each error; `tellOutages` prints what people need to know.
  onConnectionError(redis, () => {});
  redis.on(REFUSED, (error: Error) => terminal.tell(`${connectionErrorText(error)}; waiting …`));
  let installation: Installation | undefined;
  let waits = false;
  const tellWait = (line: string) => {
    const note = waits ? undefined : beforeWait?.();
    waits = true;
    if (note !== undefined) terminal.tell(note);
    terminal.tell(line);
  };
  const close = async () => {
    onEachNode(redis, (node) => node.removeAllListeners("close"));
    await installation?.closeQueues();
    redis.disconnect();
    await client.close();
  };
  try {
    await Promise.all([
      waitUntilIn("Elasticsearch", "ELASTICSEARCH_URL", shownAddress(settings.ELASTICSEARCH_URL), tellWait, () =>
        client.cluster.health({ timeout: "1s" }, { requestTimeout: ANSWER_WITHIN_MS }),
      ),
      waitUntilIn("Redis", "REDIS_URL", shownRedisAddress(settings.REDIS_URL), tellWait, () =>
        reachRedis(redis, queuePrefix(settings.TRANCHE_NAMESPACE)),
      ),
    ]);
    reportWaits(client, terminal.tell);
    const problem = await installationProblem(client, indexNames(settings.TRANCHE_NAMESPACE));
    if (problem !== undefined) throw new Failure(problem);
    // Its queues write to Redis.
    installation = createInstallation(settings, {
      client,
      redis,
      tell: terminal.tell,
      telemetry: tracing?.telemetry,
    });
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
  tellOutages(redis, shownRedisAddress(settings.REDIS_URL), terminal);
  return { ...installation, close };
}

/** Waits for an engine that is away. A refusal (a wrong password, for example) is an error at once, because waiting does not help. */
async function waitUntilIn(
  engine: string,
  setting: string,
  address: string,
  tell: (line: string) => void,
  ask: () => Promise<unknown>,
): Promise<void> {
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
  await waitForEngine(engine, address, async () => (refused = await answers()), tell);
  if (refused)
    throw new Failure(
      `${engine} at ${address} refuses the connection: ${refused.message}. Check ${setting} and its credentials.`,
    );
}

function isRefusal(error: Error): boolean {
  return (
    /\b(NOAUTH|WRONGPASS|NOPERM)\b/.test(error.message) ||
    (isEngineError(error) && searchFailureKind(error) === "refused")
  );
}

function tellOutages(redis: RedisClient, address: string, terminal: Terminal): void {
  const away = new Set<string>();
  onEachNode(redis, (node) => {
    if (node.options.readOnly) return;
    const name = redis instanceof Redis ? address : `${nameOfNode(node)} of ${address}`;
    node.on("close", () => {
      if (!away.has(name)) terminal.tell(`Redis at ${name} is away; waiting for it to come back …`);
      away.add(name);
    });
    node.on("ready", () => {
      if (away.delete(name)) terminal.tell("Redis is back.");
    });
  });
}
