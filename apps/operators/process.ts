import { createDoing } from "@tranche/operations/accounts/doing";
import { createInstallation } from "@tranche/operations/installation/installation";
import { createIntake, isIngestPath } from "@tranche/intake/http/routes";
import { ensureOrAwaitIndices } from "@tranche/read-models/indices/presence";
import type { Logger } from "@tranche/shared/process/logger";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { onConnectionError } from "@tranche/shared/engines/redis/connection-errors";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { elasticsearchOf, waitForEngines } from "@tranche/shared/engines/from-settings";
import { watchPlans } from "@tranche/shared/accounts/plans-file";
import { publicPath } from "@tranche/shared/process/public-path";
import type { Settings } from "@tranche/shared/process/settings";
import type { Tracing } from "@tranche/shared/process/tracing";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import { closeServer, openPort } from "@tranche/http/server/server";
import { traced } from "@tranche/http/server/traced";
import { createApp } from "./app.ts";
import { LOOK_PATH } from "./routes/files.ts";

/** Longer than a change of the pages may take, so what an operator has begun is answered. */
const CLOSE_WITHIN_MS = 16_000;

/** Whether bodies to a path are files, which take any time to arrive. */
const takesFiles = (path: string): boolean => isIngestPath(path) || path === LOOK_PATH;

/** An operators' port that listens. */
export type Serving = {
  /** Its address, with the real port if the setting is 0. */
  address: string;
  /** Finishes requests under way, then closes everything. */
  close: () => Promise<void>;
};

/**
 * Wires the operators' process and listens. Waits a minute for the engines, and for indices that it may not create itself. Rejects with a
 * text for people when the engines stay away or the port is taken. With `tracing`, each request is a span, and jobs carry its context.
 */
export async function serve(settings: Settings, log: Logger, tracing: Tracing | undefined): Promise<Serving> {
  const { client, redis } = await connectEngines(settings, log);
  const tell = (line: string) => log.warn(line);
  const installation = createInstallation(settings, { client, redis, tell, telemetry: tracing?.telemetry });
  const plans = watchPlans(settings.TRANCHE_PLANS_FILE, installation.timing.plansLook, log);
  const dealTypes = readDealTypes(settings.TRANCHE_VOCABULARY_FILE);
  const intake = createIntake({ installation, dealTypes, log });
  const { server, address, answer } = await openPort({
    port: settings.TRANCHE_OPERATOR_PORT,
    host: settings.TRANCHE_OPERATOR_HOST,
    publicPath: publicPath(settings),
    isUpload: ({ method, url = "" }) => method === "POST" && takesFiles(url.split("?", 1)[0]!),
  });
  const app = createApp({
    installation,
    doingAs: createDoing(installation),
    plans: plans.current,
    port: new URL(address).port,
    dealTypes,
    intake,
    log,
  });
  answer(tracing ? traced(app) : app);
  return {
    address,
    async close() {
      await Promise.all([intake.close(), closeServer(server, CLOSE_WITHIN_MS)]);
      plans.close();
      await installation.closeQueues();
      redis.disconnect();
      await client.close();
      await tracing?.close();
    },
  };
}

/** The clients of both engines, when the engines answer and the indices are there. */
async function connectEngines(settings: Settings, log: Logger) {
  const client = createSearchClient(elasticsearchOf(settings), { connections: 4, requestTimeoutMs: 10_000 });
  const redis = createQueueConnection(settings.REDIS_URL, "tranche-operators", settings.REDIS_CA_FILE);
  onConnectionError(redis, (reason) => log.debug({ reason }, "the connection to Redis failed"));
  const tell = (line: string) => log.warn(line);
  await waitForEngines(settings, { client, redis }, tell);
  const layout = { shards: settings.TRANCHE_SHARDS, replicas: settings.TRANCHE_REPLICAS };
  await ensureOrAwaitIndices(client, indexNames(settings.TRANCHE_NAMESPACE), layout, tell);
  return { client, redis };
}
