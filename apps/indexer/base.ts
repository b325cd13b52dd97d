import type { Client } from "@elastic/elasticsearch";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { type IndexNames, indexNames } from "@tranche/shared/engines/search/index-names";
import type { Layout } from "@tranche/shared/engines/search/store-indices";
import type { Logger } from "@tranche/shared/process/logger";
import type { Settings } from "@tranche/shared/process/settings";
import { createTiming, type Timing } from "@tranche/shared/process/timing";
import type { Tracing } from "@tranche/shared/process/tracing";
import { queueAccess } from "@tranche/shared/protocol/queue/access";
import { type Activity, createActivity } from "./health/activity.ts";
import { createQueues, type IndexerQueues } from "./pipeline/queues.ts";
import type { Leader } from "./workers/leader.ts";

/** The clients, names and log that every step of the start needs. */
export type Base = {
  settings: Settings;
  log: Logger;
  client: Client;
  redis: RedisClient;
  names: IndexNames;
  namespace: string;
  layout: Layout;
  /** How queues and workers reach Redis. */
  access: ReturnType<typeof queueAccess>;
  queues: IndexerQueues;
  activity: Activity;
  timing: Timing;
  /** Undefined until the workers are created, and without a leader. */
  leader: () => Leader | undefined;
};

/** Answers of Elasticsearch count as activity. */
export function createBase(
  settings: Settings,
  log: Logger,
  { client, redis, tracing }: { client: Client; redis: RedisClient; tracing?: Tracing | undefined },
  leader: () => Leader | undefined,
): Base {
  const { TRANCHE_NAMESPACE: namespace } = settings;
  const access = queueAccess(redis, namespace, tracing?.telemetry);
  const activity = createActivity();
  client.diagnostic.on("response", () => activity.heartbeat());
  return {
    settings,
    log,
    client,
    redis,
    names: indexNames(namespace),
    namespace,
    layout: { shards: settings.TRANCHE_SHARDS, replicas: settings.TRANCHE_REPLICAS },
    access,
    queues: createQueues(access),
    activity,
    timing: createTiming(settings.TRANCHE_PAUSES),
    leader,
  };
}
