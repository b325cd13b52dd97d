import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessSpec } from "./reaper.ts";
import { engineUser, ownFolder } from "./data-folder.ts";
import type { Java } from "./java.ts";
import type { SourceContext } from "./source.ts";

export const ELASTICSEARCH_VERSION = "9.5.0";
export const ELASTICSEARCH_ARTIFACT = `org.elasticsearch.distribution.integ-test-zip:elasticsearch:${ELASTICSEARCH_VERSION}:zip`;

const GRACE_MS = 20_000;
const JVM_OPTIONS = ["-Xms1g", "-Xmx1g", "-Xlog:disable", "-Xlog:all=warning:stderr:utctime,level,tags"];

/** Writes the configuration of a single node and makes its folders. Its data stays between runs, all else is made anew. */
export function prepareElasticsearch(
  distribution: string,
  ports: { http: number; transport: number },
  context: SourceContext,
): void {
  const folder = join(context.data, "elasticsearch");
  mkdirSync(folder, { recursive: true });
  ownFolder(folder);
  for (const name of ["config", "tmp"]) rmSync(join(folder, name), { recursive: true, force: true });
  for (const name of ["data", "logs", "tmp"]) mkdirSync(join(folder, name), { recursive: true });
  cpSync(join(distribution, "config"), join(folder, "config"), { recursive: true });
  const settings = {
    "cluster.name": "tranche",
    "node.name": "tranche",
    "discovery.type": "single-node",
    "network.host": "127.0.0.1",
    "http.port": ports.http,
    "transport.port": ports.transport,
    "path.data": join(folder, "data"),
    "path.logs": join(folder, "logs"),
    "xpack.security.enabled": false,
    // A developer's disk is often fuller than the 85 % at which shards are no longer placed.
    "cluster.routing.allocation.disk.threshold_enabled": false,
  };
  // JSON is YAML.
  writeFileSync(join(folder, "config/elasticsearch.yml"), `${JSON.stringify(settings, null, 2)}\n`);
  writeFileSync(join(folder, "config/jvm.options.d/tranche.options"), `${JVM_OPTIONS.join("\n")}\n`);
  ownFolder(folder);
}

export function elasticsearchProcess(distribution: string, java: Java, context: SourceContext): ProcessSpec {
  const folder = join(context.data, "elasticsearch");
  return {
    command: join(distribution, "bin/elasticsearch"),
    args: [],
    env: {
      PATH: context.env["PATH"],
      LANG: context.env["LANG"],
      ES_JAVA_HOME: java.home,
      ES_PATH_CONF: join(folder, "config"),
      // A folder of its own: Elasticsearch refuses a temporary folder that the distribution lies in.
      ES_TMPDIR: join(folder, "tmp"),
    },
    cwd: folder,
    ...engineUser(),
    output: join(context.data, "logs/elasticsearch.log"),
    graceMs: GRACE_MS,
  };
}
