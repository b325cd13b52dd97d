import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { ownFolder } from "../../tools/local-engines/data-folder.ts";
import type { DrillContext } from "./drill.ts";

/** The data of Redis as it was at a moment, as a replica that lags has it. */
export type RedisCopy = {
  /** Kills Redis and starts it with the copy. */
  putBack(): Promise<void>;
  remove(): Promise<void>;
};

/** Copies the data of a running Redis. */
export async function copyRedis(redis: DrillContext["engines"]["redis"], client: RedisClient): Promise<RedisCopy> {
  const copies = await mkdtemp(join(tmpdir(), "tranche-drill-"));
  const copy = join(copies, "older");
  const [, dir] = (await client.config("GET", "dir")) as [string, string];
  await cp(dir, copy, { recursive: true });
  return {
    async putBack() {
      await redis.kill();
      await rm(dir, { recursive: true });
      await cp(copy, dir, { recursive: true });
      // Redis runs as another user where the drill runs as root.
      ownFolder(dir);
      await redis.start();
    },
    remove: () => rm(copies, { recursive: true }),
  };
}
