import { setTimeout as pause } from "node:timers/promises";
import { accountTag } from "@tranche/shared/accounts/redis-keys";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { type IngestJob, JOB_OPTIONS, QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import type { Queues } from "../support/queues.ts";
import { withCallers } from "./callers.ts";
import type { Drill } from "./drill.ts";
import { judge, until, withInstallation } from "./installation.ts";
import { askInTurn, served } from "./load.ts";
import { onRedisCluster } from "./redis-cluster-servers.ts";
import type { RedisServerNode } from "./redis-servers.ts";
import { firstRecords } from "./workload.ts";

const LIMIT = 60;
const PLANS = { roomy: { burst: 100_000, quota: 100_000 }, tight: { burst: LIMIT, quota: 100_000 } };
const ACCOUNTS = 9;
/** BullMQ's workers wait 5 s for a job. After 6 s they give up their connection, which has to end for that. */
const LONGER_THAN_A_WAIT_MS = 8000;

export const redisCluster: Drill = {
  name: "redis-cluster",
  about: "a Redis Cluster of three masters; one of callers' accounts is killed, then that of the queues, then all",
  run: (context) =>
    onRedisCluster(context, { replicas: false }, async (own, cluster) => {
      const { random, say, size } = own;
      const limits = await withCallers(own, { processes: 1, plans: PLANS }, async (callers) => {
        const { namespace } = callers.service;
        const queues = cluster.masterOf(queuePrefix(namespace));
        const roomy: { caller: Awaited<ReturnType<typeof callers.caller>>; master: RedisServerNode }[] = [];
        for (let n = 0; n < ACCOUNTS || new Set(roomy.map(({ master }) => master)).size < 3; n++) {
          const caller = await callers.caller("roomy");
          roomy.push({ caller, master: cluster.masterOf(accountTag(namespace, caller.account)) });
        }
        const killed = cluster.masters.find((master) => master !== queues)!;
        const [hit, spared] = [true, false].map((isHit) => roomy.filter(({ master }) => (master === killed) === isHit));
        let tight = await callers.caller("tight");
        while (cluster.masterOf(accountTag(namespace, tight.account)) === killed) tight = await callers.caller("tight");
        const ask = (each: typeof roomy, count: number) =>
          Promise.all(each.map(({ caller }) => askInTurn(caller, count))).then((answers) => answers.flat());

        const before = await ask(roomy, 5);
        say(`the master of ${hit!.length} of ${roomy.length} accounts is killed`);
        await killed.kill();
        const [hitAway, sparedAway, tightAway] = await Promise.all([
          ask(hit!, 5),
          ask(spared!, 5),
          askInTurn(tight, 2 * LIMIT),
        ]);
        const asked = () => callers.log().split("known keys are limited by this process alone").length - 1;
        await killed.start();
        await until("the process has found the master", 20_000, async () => callers.log().includes("Redis is back"));
        const after = await ask(roomy, 5);
        const used = await Promise.all(roomy.map(({ caller }) => callers.monthUsed(caller.account)));
        const all = [...before, ...hitAway, ...sparedAway, ...after];
        say(
          `${served(all).length} of ${all.length} served, ${used.reduce((a, b) => a + b)} charged; tight ${served(tightAway).length}`,
        );
        return {
          checks: {
            "known keys get no 5xx": served(all).length === all.length,
            "the accounts of the other masters keep exact limits": served(tightAway).length === LIMIT,
            "one master is away, and no other": asked() === 1,
            // What was on the wire may have been counted or not.
            "counters are whole after": used.every((each) => each >= 14 && each <= 15),
          },
          figures: { accounts: roomy.length, of_the_killed_master: hit!.length, charged: used },
        };
      });
      const writes = firstRecords(random, size === "full" ? 60_000 : 2000);
      const queue = await withInstallation(own, {}, async (installation) => {
        const { queues, service } = installation;
        const master = cluster.masterOf(queuePrefix(service.namespace));
        const third = Math.floor(writes.length / 3);
        await enqueue(queues, writes.slice(0, third));
        await pause(500);
        say("the master of the queues is killed");
        await master.kill();
        await pause(size === "full" ? 20_000 : 3000);
        await master.start();
        await enqueue(queues, writes.slice(third, 2 * third));
        say("all masters are killed");
        await cluster.killMasters();
        await pause(LONGER_THAN_A_WAIT_MS);
        await cluster.startMasters();
        await enqueue(queues, writes.slice(2 * third));
        return judge(own, installation, writes, { withinMs: size === "full" ? 900_000 : 60_000 });
      });
      return { checks: { ...limits.checks, ...queue.checks }, figures: { ...limits.figures, ...queue.figures } };
    }),
};

/** As `ops ingest` does: one job after another. */
async function enqueue(queues: Queues, writes: readonly RecordWrite[]): Promise<void> {
  for (let from = 0; from < writes.length; from += 50) {
    await queues
      .queue<IngestJob>(QUEUES.ingest)
      .add("records", { records: writes.slice(from, from + 50) }, JOB_OPTIONS);
  }
}
