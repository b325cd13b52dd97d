import { setTimeout as pause } from "node:timers/promises";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { type Drill, seconds } from "./drill.ts";
import { judge, until, withInstallation } from "./installation.ts";
import { firstRecords } from "./workload.ts";

const RESUMES_WITHIN_MS = 30_000;

export const redisOutage: Drill = {
  name: "redis-outage",
  about: "Redis stopped in mid-ingest, and started again",
  run: (context) =>
    withInstallation(context, {}, async (installation) => {
      const { engines, random, say, size } = context;
      const { records, job, outages } =
        size === "full"
          ? { records: 200_000, job: 500, outages: [1, 12, 60] }
          : { records: 8000, job: 50, outages: [1, 4] };
      const { queues } = installation;
      // Jobs of the other queues do not count: those that are done add new ones.
      const ingests = () => queues.open([QUEUES.ingest]);
      const writes = firstRecords(random, records);
      // What is left is sent after the last outage, so that there is always something to resume with.
      const [first, last] = [writes.slice(0, -job), writes.slice(-job)];
      await queues.send(first, job);
      const resumed: number[] = [];
      let whileWorking = 0;
      for (const length of outages) {
        await pause(300 + random.below(1000));
        const before = await ingests();
        if (before > 0) whileWorking++;
        say(`Redis stops for ${length} s, ${before} ingest jobs open`);
        await engines.redis.stop();
        await pause(length * 1000);
        await engines.redis.start();
        if (before === 0) await queues.send(last);
        resumed.push(
          await until(
            "an ingest job is done after the outage",
            180_000,
            async () => (await ingests()) < Math.max(1, before),
          ),
        );
        say(`resumed after ${seconds(resumed.at(-1)!)} s`);
      }
      await queues.send(last);
      const { checks, figures } = await judge(context, installation, writes, { withinMs: 900_000 });
      return {
        checks: {
          ...checks,
          "resumes in 30 s": resumed.every((ms) => ms < RESUMES_WITHIN_MS),
          "stopped at work": whileWorking > 0,
        },
        figures: {
          outages_seconds: outages,
          while_working: whileWorking,
          resumed_after_seconds: resumed.map(seconds),
          ...figures,
        },
      };
    }),
};
