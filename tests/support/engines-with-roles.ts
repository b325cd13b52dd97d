import { pbkdf2Sync, randomBytes } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Redis } from "ioredis";
import { boot } from "../../infra/engines/boot.ts";
import { ownFolder, projectFolder } from "../../infra/engines/data-folder.ts";
import { elasticsearchProcess, prepareElasticsearch } from "../../infra/engines/elasticsearch-server.ts";
import { fetchedElasticsearch } from "../../infra/engines/local.ts";
import { freePorts } from "../../infra/engines/ports.ts";
import { elasticsearchProbe } from "../../infra/engines/probe.ts";
import { prepareOwnEngines } from "./own-engines.ts";
import type { Engines } from "./service.ts";

const ROLES = join(projectFolder(), "infra/roles");
const NAMESPACE = "tranche";
const log = (line: string): void => console.log(`engines with roles: ${line}`);

export type EnginesWithRoles = {
  /** The addresses with the user of a process, which has the role of `infra/roles`. */
  of(process: "api" | "indexer" | "dashboard" | "ops"): Engines;
  /** What Redis refused since the start, by user and command or key. */
  refusedByRedis(): Promise<string[]>;
  close(): Promise<void>;
};

/**
 * An Elasticsearch of its own with security, and users of its own on a given Redis. Their roles are those of `infra/roles`, for
 * another namespace. Undefined where no local Elasticsearch is there to start.
 */
export async function startEnginesWithRoles(
  namespace: string,
  redisUrl: string,
): Promise<EnginesWithRoles | undefined> {
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
  const elasticsearchUrl = (user: string) => `http://${user}:${password}@127.0.0.1:${http}`;
  const what = elasticsearchProcess(local.distribution, local.java, node, context);
  await boot("Elasticsearch", what, elasticsearchProbe(elasticsearchUrl("ops")), context);

  const plain = new Redis(redisUrl);
  const users = redisUsers(namespace, password);
  for (const [user, rules] of users) await plain.call("ACL", "SETUSER", user, ...rules);
  const redisOf = (name: string): string => {
    const url = new URL(redisUrl);
    url.username = `${namespace}-${name}`;
    url.password = password;
    return url.href;
  };
  return {
    of: (name) => ({ elasticsearchUrl: elasticsearchUrl(name), redisUrl: redisOf(name) }),
    async refusedByRedis() {
      const entries = (await plain.call("ACL", "LOG")) as unknown[][];
      const texts = entries.map((entry) => JSON.stringify(entry));
      return texts.filter((text) => text.includes(`"${namespace}-`));
    },
    async close() {
      for (const [user] of users) await plain.call("ACL", "DELUSER", user);
      plain.disconnect();
      await reaper.stop();
    },
  };
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

/** The users of `infra/roles/redis.acl` but the default one, which the other tests use. */
function redisUsers(namespace: string, password: string): [user: string, rules: string[]][] {
  const lines = readFileSync(join(ROLES, "redis.acl"), "utf8").split("\n");
  return lines
    .filter((line) => line.startsWith(`user ${NAMESPACE}-`))
    .map((line) => {
      const [, user, ...rules] = line.replaceAll(NAMESPACE, namespace).replace("replace-me", password).split(" ");
      return [user!, rules];
    });
}
