import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@elastic/elasticsearch";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { announceEverything } from "@tranche/shared/protocol/generations/generation";
import { type IndexNames, indexNames, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { Redis } from "ioredis";
import { createWorld, NOW, type World } from "../data/world.ts";
import { load, removeAll } from "../data/load.ts";
import { engineMeter, type Meter, redisMeter } from "./meters.ts";
import { type Engines, findOrStartEngines } from "../../local-engines/engines.ts";
import { type Reaper, startReaper } from "../../local-engines/reaper.ts";
import { findDataFolder, projectFolder } from "../../local-engines/data-folder.ts";

/** The environment of a benchmark: engines with the data of one size, and the means to start a process that is measured. */
export type Environment = {
  size: number;
  world: World;
  engines: Engines;
  client: Client;
  redis: Redis;
  /** CPU time of the engines. */
  meters: { elasticsearch: Meter; redis: Meter };
  names: IndexNames;
  namespace: string;
  /** Folder of this size: engines, logs, profiles. */
  home: string;
  project: string;
  reaper: Reaper;
  /** The environment variables of the apps. */
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
  load(wanted: { records: boolean }): Promise<void>;
  close(): Promise<void>;
};

/** No benchmark is to be slowed down by the limits of a plan. */
const PLANS = { scale: { name: "Scale", max_limit: 50, burst: 1_000_000_000, quota: 1_000_000_000_000 } };

/** Sets the environment. Engines and data of each size are kept under a folder of its own, unless engines are given by their addresses. */
export async function openEnvironment(options: {
  size: number;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}): Promise<Environment> {
  const { size, env, log } = options;
  const project = projectFolder();
  const common = findDataFolder(env, project, log);
  const home = join(common, `bench-${size}`);
  mkdirSync(join(home, "logs"), { recursive: true });
  mkdirSync(join(common, "downloads"), { recursive: true });
  if (!existsSync(join(home, "downloads"))) symlinkSync(join(common, "downloads"), join(home, "downloads"));

  const reaper = startReaper();
  try {
    const engines = await findOrStartEngines({ home, env, log, purpose: "start", reaper });
    const namespace = `bench_${size}`;
    const names = indexNames(namespace);
    const apiKey = env["ELASTICSEARCH_API_KEY"];
    const client = createSearchClient(
      { url: engines.elasticsearchUrl, apiKey },
      { connections: 8, requestTimeoutMs: 120_000 },
    );
    const redis = new Redis(engines.redisUrl);
    const world = createWorld(size);
    const plansFile = join(home, "plans.json");
    writeFileSync(plansFile, JSON.stringify(PLANS));
    return {
      size,
      world,
      engines,
      client,
      redis,
      names,
      namespace,
      home,
      project,
      reaper,
      log,
      meters: {
        elasticsearch: await engineMeter(client, { local: engines.origin === "local" }),
        redis: redisMeter(redis),
      },
      env: {
        ...env,
        ELASTICSEARCH_URL: engines.elasticsearchUrl,
        REDIS_URL: engines.redisUrl,
        HOST: "127.0.0.1",
        TRANCHE_NAMESPACE: namespace,
        TRANCHE_NOW: NOW,
        TRANCHE_PLANS_FILE: plansFile,
        TRANCHE_LOG_LEVEL: "warn",
      },
      async load(wanted) {
        await load({ client, names, world, log }, wanted);
        // As the indexer does after a write: where no generation is known, the API remembers nothing.
        await announceEverything({ redis, namespace, tickets: { take: async () => Date.now() * 1000 } }, READ_MODELS);
      },
      async close() {
        redis.disconnect();
        await client.close();
        await reaper.stop();
      },
    };
  } catch (error) {
    await reaper.stop();
    throw error;
  }
}

/** The same engines with an empty namespace beside the one that holds the data. */
export async function emptyEnvironment(environment: Environment, suffix: string): Promise<Environment> {
  const namespace = `${environment.namespace}_${suffix}`;
  const names = indexNames(namespace);
  await removeAll(environment.client, names);
  const left = await environment.redis.keys(`*{${namespace}}*`);
  if (left.length > 0) await environment.redis.del(left);
  return { ...environment, namespace, names, env: { ...environment.env, TRANCHE_NAMESPACE: namespace } };
}
