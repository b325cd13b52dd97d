import { setTimeout as pause } from "node:timers/promises";
import { OWN_VERSIONS } from "@tranche/read-models/indices/versions";
import { QUEUES, REBUILD_JOB_OPTIONS } from "@tranche/shared/protocol/queue/queues";
import { createRebuildStore, isRunning, type Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { type Cluster, type ClusterNode, inCluster, startCluster } from "./cluster.ts";
import { type Drill, type DrillContext, type Outcome, seconds } from "./drill.ts";
import { type Installation, judge, until, withInstallation } from "./installation.ts";
import { type Gaps, watchGaps } from "./gaps.ts";
import { among, firstRecords } from "./workload.ts";

/** Reads and ingest may stall so long when a node is lost. */
const STALL_MS = 30_000;
/** With replicas: the loss of one node takes no data away. */
const LAYOUT = { TRANCHE_SHARDS: "3", TRANCHE_REPLICAS: "1" };

type During = "ingest" | "rebuild";
type Loss = { node: string; while: During; was_master: boolean; rebuild?: string } & Gaps;

export const nodeLoss: Drill = {
  name: "node-loss",
  about: "kill -9 of each of three Elasticsearch nodes, the elected master too, during ingest and a rebuild",
  async run(context) {
    const cluster = await startCluster(context.say);
    try {
      const inside = inCluster(context, cluster);
      return await withInstallation(inside, { env: LAYOUT }, (installation) => lose(inside, installation, cluster));
    } finally {
      await cluster.close();
    }
  },
};

async function lose(context: DrillContext, installation: Installation, cluster: Cluster): Promise<Outcome> {
  const { random, say, size } = context;
  const { queues, client, names, service } = installation;
  const records = size === "full" ? 40_000 : 4000;
  const writes = firstRecords(random, records);
  await queues.send(writes);
  await queues.settled(600_000);
  await service.startApi();
  const { companies } = among(records);
  const traffic = watchGaps({
    queues,
    client,
    names,
    random,
    companies,
    base: service.base,
    key: await service.key("scale"),
  });
  say(`${records} records are there; writers and readers begin`);
  await pause(size === "full" ? 5000 : 1000);
  const losses: Loss[] = [];

  const loseOne = async (node: ClusterNode, during: During) => {
    traffic.lap();
    const master = (await cluster.master()).name;
    const rebuild = during === "rebuild" ? await rebuildUntilCopying(installation) : undefined;
    say(`kill -9 of ${node.name}${node.name === master ? ", the master," : ""} during ${during}`);
    await node.kill();
    await traffic.goesOn(STALL_MS * 4);
    // Elasticsearch waits a minute for a lost node before it makes replicas elsewhere, and the rebuild waits for those.
    if (size === "short") await node.start();
    let ended: Rebuild | undefined;
    if (rebuild) ended = await rebuildEnded(installation, rebuild.id);
    await traffic.goesOn(STALL_MS * 4);
    const gaps = traffic.lap();
    losses.push({
      node: node.name,
      while: during,
      was_master: node.name === master,
      ...(ended ? { rebuild: ended.reason ? `${ended.state}: ${ended.reason}` : ended.state } : {}),
      ...gaps,
    });
    say(JSON.stringify(losses.at(-1)));
  };

  if (size === "short") {
    const master = (await cluster.master()).name;
    await loseOne(
      cluster.nodes.find(({ name }) => name !== master)!,
      "rebuild",
    );
  } else {
    for (const during of ["ingest", "rebuild"] as const) {
      const master = await cluster.master();
      // The master first: each later kill may make another one master.
      for (const node of [master, ...cluster.nodes.filter(({ name }) => name !== master.name)]) {
        await loseOne(node, during);
        await node.start();
        await cluster.whole();
      }
    }
  }
  const { written, reads, failed_reads } = await traffic.stop();
  const { checks, figures } = await judge(context, installation, [...writes, ...written], { withinMs: 600_000 });
  const longest = (each: (loss: Loss) => number) => seconds(Math.max(...losses.map(each)));
  return {
    checks: {
      ...checks,
      "reads continue within 30 s": losses.every((loss) => loss.longest_without_read_ms <= STALL_MS),
      "ingest continues within 30 s": losses.every((loss) => loss.longest_until_searchable_ms <= STALL_MS),
      "with replicas, every rebuild ends well": losses.every(({ rebuild = "swapped" }) => rebuild === "swapped"),
      "the elected master was killed, too": size === "short" || losses.filter((loss) => loss.was_master).length >= 2,
    },
    figures: {
      kills: losses.length,
      longest_without_read_seconds: longest((loss) => loss.longest_without_read_ms),
      longest_until_searchable_seconds: longest((loss) => loss.longest_until_searchable_ms),
      reads,
      failed_reads,
      losses,
      ...figures,
    },
  };
}

/** Starts a rebuild and waits until it copies. */
async function rebuildUntilCopying({ client, names, queues }: Installation): Promise<Rebuild> {
  const store = createRebuildStore(client, names);
  const { rebuild } = await store.plan(OWN_VERSIONS);
  await queues.queue(QUEUES.rebuild).add("rebuild", undefined, REBUILD_JOB_OPTIONS);
  const copies = async () => !["planned", "created"].includes((await store.read())!.rebuild.state);
  await until("the rebuild copies", 120_000, copies);
  return rebuild;
}

async function rebuildEnded({ client, names }: Installation, id: string): Promise<Rebuild> {
  const store = createRebuildStore(client, names);
  let last: Rebuild | undefined;
  await until(`rebuild ${id} ends`, 300_000, async () => {
    last = (await store.read())!.rebuild;
    return !isRunning(last);
  });
  return last!;
}
