import type { Telemetry } from "bullmq";
import type { RedisClient } from "../../engines/redis/connect.ts";
import { queuePrefix } from "../../engines/redis/queue-prefix.ts";

/** The options that open the queues and workers of an installation. */
export type QueueAccess = {
  connection: RedisClient;
  prefix: string;
  /** Takes the context of traces along with each job. */
  telemetry?: Telemetry;
};

export const queueAccess = (connection: RedisClient, namespace: string, telemetry?: Telemetry): QueueAccess => ({
  connection,
  prefix: queuePrefix(namespace),
  ...(telemetry && { telemetry }),
});
