import { setTimeout as pause } from "node:timers/promises";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import {
  elasticsearchProcess,
  type ElasticsearchNode,
  prepareElasticsearch,
} from "../../tools/local-engines/elasticsearch-server.ts";
import { EnginesNotFound } from "../../tools/local-engines/engines.ts";
import { fetchedElasticsearch } from "../../tools/local-engines/local.ts";
import { freePorts } from "../../tools/local-engines/ports.ts";
import { elasticsearchProbe } from "../../tools/local-engines/probe.ts";
import { prepareOwnEngines } from "../support/own-engines.ts";
import { type Breakable, createBreakable } from "./breakable.ts";
import type { DrillContext } from "./drill.ts";

const NODES = 3;
const HEAP_MEGABYTES = 512;
const FORMS_WITHIN_MS = 240_000;

export type ClusterNode = Breakable & { name: string };

/** Three nodes of Elasticsearch on this machine, each of which may hold data and be elected master. */
export type Cluster = {
  /** The addresses of all nodes, as ELASTICSEARCH_URL takes them. */
  url: string;
  nodes: readonly ClusterNode[];
  /** The node that is the elected master now. */
  master(): Promise<ClusterNode>;
  /** Waits until all nodes are there and every shard has all its copies. */
  whole(withinMs?: number): Promise<void>;
  close(): Promise<void>;
};

/**
 * Starts the cluster, with data that is thrown away. It ends with this process, however that ends. Rejects with EnginesNotFound where
 * Elasticsearch can't run as local processes: call it after `startDrillEngines`, which fetches it.
 */
export async function startCluster(log: (line: string) => void): Promise<Cluster> {
  const context = prepareOwnEngines(log);
  const { reaper } = context;
  try {
    const local = await fetchedElasticsearch(context);
    if (!local) {
      throw new EnginesNotFound(
        "A cluster needs nodes of Elasticsearch as processes of this machine, and there is no Java or no fetched Elasticsearch for them.",
      );
    }
    const ports = await freePorts(2 * NODES);
    const names = Array.from({ length: NODES }, (_each, n) => `node-${n + 1}`);
    const members = names.map((name, n) => ({ name, transport: ports[NODES + n]! }));
    const nodes = names.map((name, n): ClusterNode => {
      const [http, transport] = [ports[n]!, ports[NODES + n]!];
      const node: ElasticsearchNode = { name, http, transport, heapMegabytes: HEAP_MEGABYTES, cluster: members };
      prepareElasticsearch(local.distribution, node, context);
      const url = `http://127.0.0.1:${http}`;
      const what = elasticsearchProcess(local.distribution, local.java, node, context);
      return { name, ...createBreakable({ name, url, what, probe: elasticsearchProbe(url) }, reaper, log) };
    });
    log(`starting ${NODES} nodes of Elasticsearch`);
    const cluster: Cluster = {
      url: nodes.map(({ url }) => url).join(","),
      nodes,
      master: () => masterOf(nodes),
      whole: (withinMs = FORMS_WITHIN_MS) => untilWhole(nodes, withinMs),
      async close() {
        // Nobody needs their data, so none of them need end in order.
        await Promise.allSettled(nodes.map((node) => node.kill()));
        await reaper.stop();
      },
    };
    await Promise.all(nodes.map((node) => node.start()));
    await cluster.whole();
    return cluster;
  } catch (error) {
    await reaper.stop();
    throw error;
  }
}

async function masterOf(nodes: readonly ClusterNode[]): Promise<ClusterNode> {
  return asked(nodes, async (client) => {
    const state = (await client.cluster.state({ metric: ["master_node", "nodes"] })) as {
      master_node: string;
      nodes: Record<string, { name: string }>;
    };
    return nodes.find(({ name }) => name === state.nodes[state.master_node]?.name)!;
  });
}

async function untilWhole(nodes: readonly ClusterNode[], withinMs: number): Promise<void> {
  const end = Date.now() + withinMs;
  for (;;) {
    const shown = await asked(nodes, (client) => client.cluster.health()).catch((error: Error) => error);
    if (!(shown instanceof Error) && shown.number_of_nodes === nodes.length && shown.status === "green") return;
    if (Date.now() > end) throw new Error(`the cluster is not whole after ${withinMs} ms: ${JSON.stringify(shown)}`);
    await pause(250);
  }
}

async function asked<T>(
  nodes: readonly ClusterNode[],
  ask: (client: ReturnType<typeof createSearchClient>) => Promise<T>,
): Promise<T> {
  const url = nodes.map((node) => node.url).join(",");
  const client = createSearchClient({ url }, { connections: 1, requestTimeoutMs: 10_000 });
  try {
    return await ask(client);
  } finally {
    await client.close();
  }
}

/** The drill's context with the cluster in place of the single node. */
export function inCluster(context: DrillContext, { url }: Cluster): DrillContext {
  const elasticsearch = { ...context.engines.elasticsearch, url };
  return { ...context, engines: { ...context.engines, elasticsearch } };
}
