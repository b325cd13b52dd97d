import { setTimeout as pause } from "node:timers/promises";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { Redis } from "ioredis";
import type { Drill } from "./drill.ts";
import { judge, withInstallation } from "./installation.ts";
import { firstRecords } from "./workload.ts";

const JOB = 20;
const COUNT_EVERY_MS = 2;

export const redisKill: Drill = {
  name: "redis-kill",
  about: "kill -9 of Redis under load: every job and count that it has acknowledged is there afterwards",
  run: (context) =>
    withInstallation(context, {}, async (installation) => {
      const { engines, random, say, size } = context;
      const { records, kills, longest } =
        size === "full" ? { records: 60_000, kills: 8, longest: 8000 } : { records: 4000, kills: 3, longest: 800 };
      const { queues } = installation;
      const writes = firstRecords(random, records);
      const counting = countOn(engines.redis.url, `{${installation.service.namespace}}:drill-count`);

      let acknowledged = 0;
      let killing = true;
      const producing = (async () => {
        for (let from = 0; from < writes.length; from += JOB) {
          await queues.send(writes.slice(from, from + JOB), JOB);
          acknowledged++;
          // Slowed down so that there is something to enqueue at each kill.
          if (killing) await pause((longest * kills * JOB) / writes.length);
        }
      })();
      for (let kill = 1; kill <= kills; kill++) {
        await pause(longest / 4 + random.below(longest));
        say(`kill ${kill} of ${kills}, ${acknowledged} jobs acknowledged`);
        await engines.redis.kill();
        await pause(200);
        await engines.redis.start();
      }
      killing = false;
      await producing;
      const counts = await counting.stop();
      const { checks, figures } = await judge(context, installation, writes, { withinMs: 900_000 });
      return {
        checks: { ...checks, "no acknowledged count lost": counts.kept >= counts.acknowledged },
        figures: {
          kills,
          jobs_acknowledged: acknowledged,
          counts_acknowledged: counts.acknowledged,
          counts_kept: counts.kept,
          counts_in_doubt: counts.inDoubt,
          ...figures,
        },
      };
    }),
};

/** Counts as the API's limits do: an unacknowledged command is never sent again. */
function countOn(url: string, key: string) {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    commandTimeout: 1000,
    retryStrategy: () => 50,
  });
  redis.on("error", () => {});
  let [acknowledged, inDoubt, stopped] = [0, 0, false];
  const counting = (async () => {
    while (!stopped) {
      await redis.incr(key).then(
        () => acknowledged++,
        () => inDoubt++,
      );
      await pause(COUNT_EVERY_MS);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await counting;
      redis.disconnect();
      // One that waits: the last kill may have been a moment ago.
      const reader = createQueueConnection(url, "drill-count");
      const kept = Number(await reader.get(key));
      reader.disconnect();
      return { acknowledged, inDoubt, kept };
    },
  };
}
