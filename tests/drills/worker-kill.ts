import { setTimeout as pause } from "node:timers/promises";
import type { Drill } from "./drill.ts";
import { judge, withInstallation } from "./installation.ts";
import { firstRecords } from "./workload.ts";

export const workerKill: Drill = {
  name: "worker-kill",
  about: "kill -9 of the indexer, again and again while it ingests",
  run: (context) =>
    withInstallation(context, {}, async (installation) => {
      const { random, say, size } = context;
      const { records, job, kills, longest } =
        size === "full"
          ? { records: 200_000, job: 500, kills: 20, longest: 6000 }
          : { records: 1500, job: 30, kills: 2, longest: 400 };
      const writes = firstRecords(random, records);
      await installation.queues.send(writes, job);
      let whileWorking = 0;
      for (let kill = 1; kill <= kills; kill++) {
        await pause(longest / 4 + random.below(longest));
        const open = await installation.queues.open();
        if (open > 0) whileWorking++;
        say(`kill ${kill} of ${kills}, ${open} jobs open`);
        await installation.killIndexer();
        await installation.startIndexer();
      }
      const { checks, figures } = await judge(context, installation, writes, { withinMs: 900_000 });
      return {
        checks: { ...checks, "killed at work": whileWorking > 0 },
        figures: { kills, while_working: whileWorking, ...figures },
      };
    }),
};
