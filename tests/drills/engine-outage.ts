import { setTimeout as pause } from "node:timers/promises";
import type { Drill } from "./drill.ts";
import { judge, until, withInstallation } from "./installation.ts";
import { startProxy } from "./proxy.ts";
import { firstRecords } from "./workload.ts";

const MAX_MEGABYTES = 400;
/** Within this time the indexer asks for something: it pauses for 10 s at most. */
const MEETS_WITHIN_MS = 60_000;

export const engineOutage: Drill = {
  name: "engine-outage",
  about: "Elasticsearch killed and away, then overloaded: it answers many bulk items and some whole requests with 429",
  async run(context) {
    const { engines, random, say, size } = context;
    const { records, job, seconds, really } =
      size === "full"
        ? { records: 200_000, job: 500, seconds: 60, really: true }
        : { records: 6000, job: 50, seconds: 4, really: false };
    const proxy = await startProxy(engines.elasticsearch.url, random);
    try {
      return await withInstallation(context, { elasticsearchUrl: proxy.url }, async (installation) => {
        let megabytes = 0;
        let watching = true;
        const watch = (async () => {
          while (watching) {
            megabytes = Math.max(megabytes, await installation.indexerMegabytes());
            await pause(250);
          }
        })();
        const writes = firstRecords(random, records);
        await installation.queues.send(writes, job);
        await pause(size === "full" ? 5000 : 500);
        say(`Elasticsearch goes away for ${seconds} s, ${await installation.queues.open()} jobs open`);
        proxy.mode = { kind: "away" };
        if (really) await engines.elasticsearch.kill();
        await pause(seconds * 1000);
        if (really) await engines.elasticsearch.start();
        const whileAway = await installation.queues.open();
        say(`Elasticsearch is overloaded for ${seconds} s, ${whileAway} jobs open`);
        proxy.mode = { kind: "busy", items: 0.3, requests: 0.1 };
        await pause(seconds * 1000);
        // The indexer may be in a pause that began while the engine was away.
        await until("something is refused", MEETS_WITHIN_MS, () => Promise.resolve(proxy.refused.items > 0));
        proxy.mode = { kind: "pass" };
        const { checks, figures } = await judge(context, installation, writes, { withinMs: 900_000 });
        watching = false;
        await watch;
        return {
          checks: {
            ...checks,
            "indexer under 400 MB": megabytes < MAX_MEGABYTES,
            "broken at work": whileAway > 0 && proxy.refused.items > 0,
          },
          figures: {
            away_seconds: seconds,
            busy_seconds: seconds,
            refused_items: proxy.refused.items,
            refused_requests: proxy.refused.requests,
            indexer_peak_megabytes: megabytes,
            ...figures,
          },
        };
      });
    } finally {
      await proxy.close();
    }
  },
};
