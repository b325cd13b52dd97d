import { pbkdf2Sync, randomBytes } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { boot } from "../../tools/local-engines/boot.ts";
import { ownFolder, projectFolder } from "../../tools/local-engines/data-folder.ts";
import { elasticsearchProcess, prepareElasticsearch } from "../../tools/local-engines/elasticsearch-server.ts";
import { fetchedElasticsearch } from "../../tools/local-engines/local.ts";
import { freePorts } from "../../tools/local-engines/ports.ts";
import { elasticsearchProbe } from "../../tools/local-engines/probe.ts";
import { prepareOwnEngines } from "./own-engines.ts";
import type { Process } from "./redis-roles.ts";

const ROLES = join(projectFolder(), "infra/roles");
const NAMESPACE = "tranche";
const log = (line: string): void => console.log(`Elasticsearch with roles: ${line}`);

/** An Elasticsearch whose users have the roles of `infra/roles`, for another namespace. */
export type ElasticsearchWithRoles = {
  /** The address with the user of a process. */
  of(process: Process): string;
  close(): Promise<void>;
};

/** Starts one of its own with security. Undefined where no local Elasticsearch is there to start. */
export async function startElasticsearchWithRoles(namespace: string): Promise<ElasticsearchWithRoles | undefined> {
  const context = prepareOwnEngines(log);
  const { data, reaper } = context;
  const local = await fetchedElasticsearch(context);
  if (!local) {
    await reaper.stop();
    return undefined;
  }
  const password = randomBytes(12).toString("hex");
  const [http, transport] = (await freePorts(2)) as [number, number];
  const node = { name: "elasticsearch", http, transport, heapMegabytes: 512 };
  prepareElasticsearch(local.distribution, node, context);
  secure(join(data, node.name, "config"), namespace, password);
  ownFolder(join(data, node.name));
  const addressOf = (user: Process) => `http://${user}:${password}@127.0.0.1:${http}`;
  const what = elasticsearchProcess(local.distribution, local.java, node, context);
  await boot("Elasticsearch", what, elasticsearchProbe(addressOf("ops")), context);
  return { of: addressOf, close: () => reaper.stop() };
}

/** Users in files, because the local distribution can't create the index that Elasticsearch keeps its users in. */
function secure(config: string, namespace: string, password: string): void {
  const file = join(config, "elasticsearch.yml");
  const settings = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...settings, "xpack.security.enabled": true }));
  const names = globSync("elasticsearch/*.json", { cwd: ROLES }).map((path) => basename(path, ".json"));
  const roles = names.map((name) => {
    const role = readFileSync(join(ROLES, `elasticsearch/${name}.json`), "utf8");
    // JSON is YAML.
    return `${name}: ${role.replaceAll(`"${NAMESPACE}-`, `"${namespace}-`).replaceAll("\n", " ")}\n`;
  });
  writeFileSync(join(config, "roles.yml"), roles.join(""));
  writeFileSync(join(config, "users"), names.map((name) => `${name}:${hashed(password)}\n`).join(""));
  writeFileSync(join(config, "users_roles"), names.map((name) => `${name}:${name}\n`).join(""));
}

/** As Elasticsearch reads it from its file of users. */
function hashed(password: string): string {
  const salt = randomBytes(32);
  const rounds = 10_000;
  const hash = pbkdf2Sync(password, salt, rounds, 32, "sha512");
  return `{PBKDF2}${rounds}$${salt.toString("base64")}$${hash.toString("base64")}`;
}
