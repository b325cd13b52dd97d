import type { Client } from "@elastic/elasticsearch";
import { OWN_VERSIONS } from "@tranche/read-models/indices/versions";
import { QUEUES, REBUILD_JOB_OPTIONS } from "@tranche/shared/protocol/queue/queues";
import { createRebuildStore, isRunning } from "@tranche/shared/protocol/rebuild/state";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { type Drill, seconds } from "./drill.ts";
import { judge, until, withInstallation } from "./installation.ts";
import { type Catch, startProxy } from "./proxy.ts";
import { among, firstRecords, randomRound } from "./workload.ts";

/** An indexer saves how far it has come with a slice of the copy. */
const savesSlice: Catch = ({ path, body }) =>
  path.includes("/_doc/slices-copy-companies-") && body.includes('"cursor":"') ? "after" : undefined;

type Slice = { n: number; run: string; cursor: string | null; done: boolean; found: number; saves: number };

export const twoIndexers: Drill = {
  name: "two-indexers",
  about: "kill -9 of one of several indexers while they share a rebuild, beside updates",
  async run(context) {
    const { engines, random, say, size } = context;
    // Few slices: two other indexers could take all of them at once, and nothing would be left for the one that is killed.
    const { records, updates, kills, others } =
      size === "full"
        ? { records: 200_000, updates: 5000, kills: 3, others: 2 }
        : { records: 14_000, updates: 300, kills: 1, others: 1 };
    const proxy = await startProxy(engines.elasticsearch.url, random);
    try {
      return await withInstallation(context, { elasticsearchUrl: proxy.url }, async (installation) => {
        const { queues, client, names, service } = installation;
        // Only the indexer that is killed goes through the proxy.
        const direct = { ELASTICSEARCH_URL: engines.elasticsearch.url };
        await Promise.all(Array.from({ length: others }, () => service.startIndexer(direct)));
        const first = firstRecords(random, records);
        await queues.send(first);
        await queues.settled(600_000);

        const store = createRebuildStore(client, names);
        let caught = proxy.catchNext(savesSlice, () => installation.killIndexer());
        const { rebuild } = await store.plan(OWN_VERSIONS);
        await queues.queue(QUEUES.rebuild).add("rebuild", undefined, REBUILD_JOB_OPTIONS);
        const later = Array.from({ length: updates }, (_, n) => randomRound(random, 2, `rnd-${n}`, among(records)));
        const sent = queues.send(later, 100);
        /** Slices that were done before a kill, with how often they had been saved by then. */
        const kept = new Map<number, number>();
        let killed = 0;
        const ended = async () => !isRunning((await store.read())!.rebuild);
        for (; killed < kills;) {
          const hit = await Promise.race([
            caught.then(() => true),
            until("the rebuild ends", 600_000, ended).then(() => false),
          ]);
          if (!hit) break;
          killed++;
          const all = await slicesOf(client, names, rebuild.id);
          for (const { n, done, saves } of all) if (done && !kept.has(n)) kept.set(n, saves);
          say(`killed one of ${others + 1} indexers, the ${killed}. time`);
          if (killed === kills) break;
          caught = proxy.catchNext(savesSlice, () => installation.killIndexer());
          await installation.startIndexer();
        }
        const ms = await until("the rebuild ends without it", 600_000, ended);
        await sent;
        const last = (await store.read())!.rebuild;
        const slices = await slicesOf(client, names, rebuild.id);
        const redone = slices.filter(({ n, saves }) => kept.has(n) && kept.get(n) !== saves);
        say(`${last.state}, ${slices.length} slices, ${kept.size} of them done before a kill`);
        const { checks, figures } = await judge(context, installation, [...first, ...later], { withinMs: 600_000 });
        return {
          checks: {
            ...checks,
            "kills an indexer at its work": killed > 0,
            // The short one has time for one kill, before which all slices may be under way.
            "some slices were done before a kill": size === "short" || kept.size > 0,
            "the others finish the rebuild": last.id === rebuild.id && last.state === "swapped",
            "every slice is done": slices.length > 1 && slices.every(({ done }) => done),
            "a slice that was done is not done again": redone.length === 0,
            // A round that an update moves to another company meanwhile is counted with both, or with neither.
            "every record is copied and counted once": Math.abs(last.written - last.expected) <= updates,
          },
          figures: {
            kills: killed,
            slices: slices.length,
            done_before_kills: kept.size,
            counted_more_than_expected: last.written - last.expected,
            ended_after_last_kill_seconds: seconds(ms),
            ...figures,
          },
        };
      });
    } finally {
      await proxy.close();
    }
  },
};

/** The slices of the copy of companies. */
async function slicesOf(client: Client, names: IndexNames, run: string): Promise<Slice[]> {
  const ids = Array.from({ length: 256 }, (_, n) => `slices-copy-companies-${n}`);
  const { docs } = await client.mget<Omit<Slice, "n" | "saves">>({ index: names.control, ids });
  return docs.flatMap((found, n) =>
    "_source" in found && found._source?.run === run ? [{ ...found._source, n, saves: found._version! }] : [],
  );
}
