import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessSpec } from "./reaper.ts";
import { engineUser, ownFolder } from "./data-folder.ts";
import type { Java } from "./java.ts";
import type { SourceContext } from "./source.ts";

export const ELASTICSEARCH_VERSION = "9.5.0";
export const ELASTICSEARCH_ARTIFACT = `org.elasticsearch.distribution.integ-test-zip:elasticsearch:${ELASTICSEARCH_VERSION}:zip`;

const GRACE_MS = 20_000;
const LOGGED = ["-Xlog:disable", "-Xlog:all=warning:stderr:utctime,level,tags"];

export type ElasticsearchNode = {
  /** Also the name of its folder and of its log. */
  name: string;
  http: number;
  transport: number;
  heapMegabytes: number;
  /** The nodes of its cluster, itself included; none: it is the only one. */
  cluster?: readonly { name: string; transport: number }[];
};

/** The name of the node where there is one. */
export const SINGLE_NODE = "elasticsearch";

/** A single node, as one machine needs it. */
export const singleNode = (ports: { http: number; transport: number }): ElasticsearchNode => ({
  name: SINGLE_NODE,
  ...ports,
  heapMegabytes: 1024,
});

/** Writes the configuration of a node and makes its folders. Its data stays between runs, all else is made anew. */
export function prepareElasticsearch(distribution: string, node: ElasticsearchNode, context: SourceContext): void {
  const folder = join(context.data, node.name);
  mkdirSync(folder, { recursive: true });
  ownFolder(folder);
  for (const name of ["config", "tmp"]) rmSync(join(folder, name), { recursive: true, force: true });
  for (const name of ["data", "logs", "tmp"]) mkdirSync(join(folder, name), { recursive: true });
  const snapshots = join(context.data, "snapshots");
  mkdirSync(snapshots, { recursive: true });
  ownFolder(snapshots);
  cpSync(join(distribution, "config"), join(folder, "config"), { recursive: true });
  const settings = {
    "cluster.name": "tranche",
    "node.name": node.cluster ? node.name : "tranche",
    ...discovery(node),
    "network.host": "127.0.0.1",
    "http.port": node.http,
    "transport.port": node.transport,
    "path.data": join(folder, "data"),
    "path.logs": join(folder, "logs"),
    // Where repositories of type fs may lie, for `ops backup`.
    "path.repo": snapshots,
    "xpack.security.enabled": false,
    // A developer's disk is often fuller than the 85 % at which shards are no longer placed.
    "cluster.routing.allocation.disk.threshold_enabled": false,
  };
  // JSON is YAML.
  writeFileSync(join(folder, "config/elasticsearch.yml"), `${JSON.stringify(settings, null, 2)}\n`);
  const heap = [`-Xms${node.heapMegabytes}m`, `-Xmx${node.heapMegabytes}m`];
  writeFileSync(join(folder, "config/jvm.options.d/tranche.options"), `${[...heap, ...LOGGED].join("\n")}\n`);
  ownFolder(folder);
}

function discovery({ cluster }: ElasticsearchNode): Record<string, unknown> {
  if (!cluster) return { "discovery.type": "single-node" };
  return {
    "discovery.seed_hosts": cluster.map(({ transport }) => `127.0.0.1:${transport}`),
    // Read only when the cluster is formed for the first time.
    "cluster.initial_master_nodes": cluster.map(({ name }) => name),
  };
}

export function elasticsearchProcess(
  distribution: string,
  java: Java,
  { name }: ElasticsearchNode,
  context: SourceContext,
): ProcessSpec {
  const folder = join(context.data, name);
  const temporary = join(folder, "tmp");
  return {
    command: join(distribution, "bin/elasticsearch"),
    args: [],
    env: {
      PATH: context.env["PATH"],
      LANG: context.env["LANG"],
      ES_JAVA_HOME: java.home,
      ES_PATH_CONF: join(folder, "config"),
      // A folder of its own: Elasticsearch refuses a temporary folder that the distribution lies in.
      ES_TMPDIR: temporary,
      // Options for its Java, which override those of the configuration, as wherever Elasticsearch runs.
      ...(context.env["ES_JAVA_OPTS"] && { ES_JAVA_OPTS: context.env["ES_JAVA_OPTS"] }),
      // Its launcher leaves a folder behind at each start. The script that starts it splits this at blanks.
      ...(/\s/.test(temporary) ? {} : { CLI_JAVA_OPTS: `-Djava.io.tmpdir=${temporary}` }),
    },
    cwd: folder,
    ...engineUser(),
    output: join(context.data, `logs/${name}.log`),
    graceMs: GRACE_MS,
  };
}
