import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import type { Drill } from "./drill.ts";
import { FAILOVER_ENV, ingestWithFailover } from "./failover-ingest.ts";
import { withInstallation } from "./installation.ts";
import { onRedisCluster } from "./redis-cluster-servers.ts";
import { watchReplication } from "./redis-replication.ts";

export const redisClusterFailover: Drill = {
  name: "redis-cluster-failover",
  about: "in a Redis Cluster, a replica that lacks acknowledged writes takes over the queues, during an ingest",
  run: (context) =>
    onRedisCluster(context, { replicas: true }, (own, cluster) =>
      withInstallation(own, { env: FAILOVER_ENV }, async (installation) => {
        const queues = queuePrefix(installation.service.namespace);
        const master = cluster.masterOf(queues);
        const replication = watchReplication(master.port, cluster.replicaOf(queues)!.port);
        try {
          return await ingestWithFailover(own, installation, {
            master,
            replication,
            comesBack: context.size === "full",
          });
        } finally {
          replication.close();
        }
      }),
    ),
};
