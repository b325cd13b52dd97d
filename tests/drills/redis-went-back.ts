import type { Drill } from "./drill.ts";
import { until, withInstallation } from "./installation.ts";
import { ingestWithLoss, statusOf } from "./lossy-ingest.ts";
import { copyRedis, type RedisCopy } from "./redis-copy.ts";
import { isInFile } from "./restart.ts";

export const redisWentBack: Drill = {
  name: "redis-went-back",
  about: "Redis replaced by an older copy of its own data during an ingest, as by a failover to a replica that lagged",
  run: (context) =>
    withInstallation(context, { env: { TRANCHE_INDEXER_CONCURRENCY: "3" } }, async (installation) => {
      const { engines, say, size } = context;
      say("Redis is killed and started again on its own data");
      await until("all is in Redis' file", 60_000, () => isInFile(installation.queues.redis));
      await engines.redis.kill();
      await engines.redis.start();
      const restarted = await statusOf(installation);

      let older: RedisCopy | undefined;
      try {
        const records = size === "full" ? 150_000 : 5000;
        const { checks, figures } = await ingestWithLoss(context, installation, records, async (acknowledged) => {
          await acknowledged(1 / 5);
          older = await copyRedis(engines.redis, installation.queues.redis);
          await acknowledged(1 / 2);
          await older.putBack();
        });
        return {
          checks: { ...checks, "a restart that loses nothing is not a loss": restarted.redis_losses.length === 0 },
          figures,
        };
      } finally {
        await older?.remove();
      }
    }),
};
