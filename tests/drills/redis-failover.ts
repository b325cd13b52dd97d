import { setTimeout as pause } from "node:timers/promises";
import { EnginesNotFound } from "../../infra/engines/engines.ts";
import type { Drill } from "./drill.ts";
import { withInstallation } from "./installation.ts";
import { ingestWithLoss } from "./lossy-ingest.ts";
import { NO_LOCAL_REDIS } from "./redis-servers.ts";
import { startReplicatedRedis } from "./redis-sentinels.ts";

/** A Sentinel takes no replica that has been cut off for much more than ten times `down-after-milliseconds`. */
const BEHIND_AT_MOST_MS = 5000;

export const redisFailover: Drill = {
  name: "redis-failover",
  about: "Sentinels make a replica the master that lacks acknowledged writes, during an ingest",
  async run(context) {
    const { say, size } = context;
    const replicated = await startReplicatedRedis(say);
    if (!replicated)
      throw new EnginesNotFound(`A failover needs servers of Redis as processes of this machine: ${NO_LOCAL_REDIS}.`);
    try {
      const { url, master } = replicated;
      const own = { ...context, engines: { ...context.engines, redis: { ...context.engines.redis, url } } };
      return await withInstallation(own, { env: { TRANCHE_INDEXER_CONCURRENCY: "3" } }, async (installation) => {
        let failoverMs = 0;
        const records = size === "full" ? 150_000 : 8000;
        const { checks, figures } = await ingestWithLoss(own, installation, records, async (acknowledged) => {
          await acknowledged(1 / 5);
          await replicated.cutReplica();
          await Promise.race([acknowledged(1 / 2), pause(BEHIND_AT_MOST_MS)]);
          const start = performance.now();
          await master.kill();
          say("the master is killed");
          await replicated.failedOver();
          failoverMs = Math.round(performance.now() - start);
          say(`the replica is the master after ${failoverMs} ms; the old master comes back`);
          await master.start();
        });
        return { checks, figures: { ...figures, failover_ms: failoverMs } };
      });
    } finally {
      await replicated.close();
    }
  },
};
