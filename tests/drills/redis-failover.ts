import { EnginesNotFound } from "../../tools/local-engines/engines.ts";
import type { Drill } from "./drill.ts";
import { FAILOVER_ENV, ingestWithFailover } from "./failover-ingest.ts";
import { withInstallation } from "./installation.ts";
import { NO_LOCAL_REDIS, onRedis } from "./redis-servers.ts";
import { startReplicatedRedis } from "./redis-sentinels.ts";

export const redisFailover: Drill = {
  name: "redis-failover",
  about: "Sentinels make a replica the master that lacks acknowledged writes, during an ingest",
  async run(context) {
    const replicated = await startReplicatedRedis(context.say);
    if (!replicated)
      throw new EnginesNotFound(`A failover needs servers of Redis as processes of this machine: ${NO_LOCAL_REDIS}.`);
    try {
      const own = onRedis(context, replicated);
      return await withInstallation(own, { env: FAILOVER_ENV }, (installation) =>
        ingestWithFailover(own, installation, { ...replicated, comesBack: true }),
      );
    } finally {
      await replicated.close();
    }
  },
};
