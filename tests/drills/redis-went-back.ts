import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownFolder } from "../../infra/engines/data-folder.ts";
import type { Drill } from "./drill.ts";
import { withInstallation } from "./installation.ts";
import { ingestWithLoss, statusOf } from "./lossy-ingest.ts";

export const redisWentBack: Drill = {
  name: "redis-went-back",
  about: "Redis replaced by an older copy of its own data during an ingest, as by a failover to a replica that lagged",
  run: (context) =>
    withInstallation(context, { env: { TRANCHE_INDEXER_CONCURRENCY: "3" } }, async (installation) => {
      const { engines, say, size } = context;
      const { queues } = installation;
      say("Redis is killed and started again on its own data");
      await engines.redis.kill();
      await engines.redis.start();
      const restarted = await statusOf(installation);

      const copies = await mkdtemp(join(tmpdir(), "tranche-drill-"));
      const copy = join(copies, "older");
      try {
        const records = size === "full" ? 150_000 : 8000;
        const { checks, figures } = await ingestWithLoss(context, installation, records, async (acknowledged) => {
          await acknowledged(1 / 5);
          const [, dir] = (await queues.redis.config("GET", "dir")) as [string, string];
          await cp(dir, copy, { recursive: true });
          await acknowledged(1 / 2);
          await engines.redis.kill();
          await rm(dir, { recursive: true });
          await cp(copy, dir, { recursive: true });
          // Redis runs as another user where the drill runs as root.
          ownFolder(dir);
          await engines.redis.start();
        });
        return {
          checks: { ...checks, "a restart that loses nothing is not a loss": restarted.redis_losses.length === 0 },
          figures,
        };
      } finally {
        await rm(copies, { recursive: true });
      }
    }),
};
