import { queuePrefix } from "@tranche/shared/queue/queues";
import { EnginesNotFound } from "../../infra/engines/engines.ts";
import type { Drill } from "./drill.ts";
import { FAILOVER_ENV, ingestWithFailover } from "./failover-ingest.ts";
import { withInstallation } from "./installation.ts";
import { startRedisCluster } from "./redis-cluster-servers.ts";
import { watchReplication } from "./redis-replication.ts";
import { NO_LOCAL_REDIS } from "./redis-servers.ts";

export const redisClusterFailover: Drill = {
  name: "redis-cluster-failover",
  about: "in a Redis Cluster, a replica that lacks acknowledged writes takes over the queues, during an ingest",
  async run(context) {
    const cluster = await startRedisCluster(context.say, { replicas: true });
    if (!cluster)
      throw new EnginesNotFound(
        `A Redis Cluster needs servers of Redis as processes of this machine: ${NO_LOCAL_REDIS}.`,
      );
    try {
      const { url } = cluster;
      const own = { ...context, engines: { ...context.engines, redis: { ...context.engines.redis, url } } };
      return await withInstallation(own, { env: FAILOVER_ENV }, async (installation) => {
        const queues = queuePrefix(installation.service.namespace);
        const master = cluster.masterOf(queues);
        const replication = watchReplication(master.port, cluster.replicaOf(queues)!.port);
        try {
          return await ingestWithFailover(own, installation, { master, replication });
        } finally {
          replication.close();
        }
      });
    } finally {
      await cluster.close();
    }
  },
};
