import type { Client } from "@elastic/elasticsearch";
import type { Timing } from "@tranche/shared/process/timing";
import type { Logger } from "@tranche/shared/process/logger";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import type { Layout } from "@tranche/shared/engines/search/store-indices";
import type { Settings } from "@tranche/shared/process/settings";
import type { Activity } from "./health/activity.ts";
import type { IndexerQueues } from "./pipeline/queues.ts";
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
  queues: IndexerQueues;
  activity: Activity;
  timing: Timing;
  /** Undefined until the workers are created, and without a leader. */
  leader: () => Leader | undefined;
};
