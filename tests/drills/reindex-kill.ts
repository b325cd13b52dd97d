import { setTimeout as pause } from "node:timers/promises";
import { OWN_VERSIONS } from "@tranche/read-models/indices/versions";
import { QUEUES, REBUILD_JOB_OPTIONS } from "@tranche/shared/protocol/queue/queues";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { createRebuildStore, isRunning } from "@tranche/shared/protocol/rebuild/state";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { type Drill, seconds } from "./drill.ts";
import { type Installation, judge, until, withInstallation } from "./installation.ts";
import { type Catch, startProxy } from "./proxy.ts";
import { firstRecords } from "./workload.ts";

const saves = (state: string, when: "before" | "after"): Catch => {
  return ({ path, body }) => (path.includes("/_doc/rebuild") && body.includes(`"state":"${state}"`) ? when : undefined);
};
const moves = (role: "building" | "live", when: "before" | "after"): Catch => {
  // The swap is the one call that takes the live role from an index.
  const swaps = (body: string) => /"remove":\{[^}]*"alias":"[a-z0-9]+-funding"/.test(body);
  return ({ path, body }) => (path === "/_aliases" && swaps(body) === (role === "live") ? when : undefined);
};

/** Where the indexer is killed: at a request that is caught before the engine gets it, or before its answer comes back. */
const POINTS: Record<string, Catch> = {
  "planned, before an index is made": ({ method, path }) =>
    method === "PUT" && /-funding-\d+t/.test(path) ? "before" : undefined,
  "planned, one index made": ({ method, path }) =>
    method === "PUT" && /-funding-\d+t/.test(path) ? "after" : undefined,
  "planned, both made": saves("created", "before"),
  created: saves("created", "after"),
  "created, roles given": moves("building", "after"),
  copying: ({ path, body }) =>
    path.includes("/_doc/slices-copy-companies-") && body.includes('"cursor":"') ? "after" : undefined,
  "copying, all copied": saves("verifying", "before"),
  verifying: saves("verifying", "after"),
  "verifying, before the swap": moves("live", "before"),
  "verifying, swapped": moves("live", "after"),
  swapped: saves("swapped", "after"),
};
const TELLING = ["created, roles given", "verifying, swapped"];

export const reindexKill: Drill = {
  name: "reindex-kill",
  about: "kill -9 of the indexer in every state of a rebuild, and a cancel of what is left",
  async run(context) {
    const { engines, random, say, size } = context;
    const proxy = await startProxy(engines.elasticsearch.url, random);
    try {
      return await withInstallation(context, { elasticsearchUrl: proxy.url }, async (installation) => {
        const { queues, client, names, service } = installation;
        const writes = firstRecords(random, size === "full" ? 20_000 : 3000);
        await queues.send(writes);
        await queues.settled(300_000);
        const store = createRebuildStore(client, names);
        const alias = watchAliases(installation);
        const resumed: Record<string, number> = {};
        const problems: string[] = [];

        const killAt = async (point: string) => {
          const caught = proxy.catchNext(POINTS[point]!, () => installation.killIndexer());
          const { rebuild } = await store.plan(OWN_VERSIONS);
          await queues.queue(QUEUES.rebuild).add("rebuild", undefined, REBUILD_JOB_OPTIONS);
          await caught;
          return rebuild;
        };
        const points = size === "full" ? Object.keys(POINTS) : TELLING;
        for (const point of points) {
          const rebuild = await killAt(point);
          await installation.startIndexer();
          const ms = await until(
            `the rebuild killed at '${point}' ends`,
            120_000,
            async () => !isRunning((await store.read())!.rebuild),
          );
          resumed[point] = seconds(ms);
          const ended = (await store.read())!.rebuild;
          say(`killed at '${point}': ${ended.state} after ${seconds(ms)} s`);
          if (ended.id !== rebuild.id || ended.state !== "swapped")
            problems.push(`${point}: ${ended.state} ${ended.reason}`);
          if ((await readIndexRoles(client, names)).funding.live !== rebuild.indices.funding)
            problems.push(`${point}: not live`);
          await until("no index is left over", 60_000, async () => (await leftOver(installation)).length === 0);
        }

        const before = await readIndexRoles(client, names);
        await killAt("copying");
        const cancelled = await service.ops(["reindex", "cancel", "--json"]);
        await installation.startIndexer();
        await until(
          "what was cancelled is cleared away",
          60_000,
          async () => (await leftOver(installation)).length === 0,
        );
        const after = await readIndexRoles(client, names);
        const ways = await alias.stop();
        const { checks, figures } = await judge(context, installation, writes, { withinMs: 300_000 });
        for (const problem of problems) say(problem);
        return {
          checks: {
            ...checks,
            "resumes after each kill": problems.length === 0,
            "cancels cleanly": cancelled.code === 0 && JSON.stringify(before) === JSON.stringify(after),
            "the alias always points at exactly one index": ways.wrong === 0,
          },
          figures: { kills: points.length + 1, resumed_after_seconds: resumed, alias_looks: ways.looks, ...figures },
        };
      });
    } finally {
      await proxy.close();
    }
  },
};

/** Indices of read models that are neither live nor previous. */
async function leftOver({ client, names }: Installation): Promise<string[]> {
  const roles = await readIndexRoles(client, names);
  const found = await client.indices.get({ index: READ_MODELS.map((model) => `${names.role(model, "live")}-*`) });
  const held = READ_MODELS.flatMap((model) => [roles[model].live, roles[model].previous]);
  return Object.keys(found).filter((index) => !held.includes(index));
}

/** Looks all the time which indices the live aliases point at. */
function watchAliases({ client, names }: Installation) {
  let [looks, wrong, watching] = [0, 0, true];
  const watch = (async () => {
    while (watching) {
      for (const model of READ_MODELS) {
        const found = await client.indices.getAlias({ name: names.role(model, "live") }, { ignore: [404] });
        looks++;
        if (Object.keys(found).length !== 1) wrong++;
      }
      await pause(20);
    }
  })();
  return {
    async stop() {
      watching = false;
      await watch;
      return { looks, wrong };
    },
  };
}
