import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ownFolder } from "../../tools/local-engines/data-folder.ts";
import { findLocalRedis } from "../../tools/local-engines/local.ts";
import { redisProbe } from "../../tools/local-engines/probe.ts";
import { REDIS_OPTIONS, redisProcess } from "../../tools/local-engines/redis-server.ts";
import { prepareOwnEngines } from "../support/own-engines.ts";
import { type Breakable, createBreakable } from "./breakable.ts";
import type { DrillContext } from "./drill.ts";

export type RedisServerNode = Breakable & { port: number; folder: string };

/** Servers of Redis on this machine. */
export type RedisServers = {
  /** A server with further options, such as `["--replicaof", "127.0.0.1", "7000"]`. It is not started yet. */
  add(port: number, options: readonly string[]): RedisServerNode;
  /** A Sentinel. It writes into its configuration what it finds out. */
  addSentinel(port: number, configuration: string): Breakable;
  close(): Promise<void>;
};

/** Why there is no server of Redis to run, for tests that leave themselves out. */
export const NO_LOCAL_REDIS =
  "there is no redis-server on PATH, no ready-made one for this platform, or no Maven to fetch it with";

/** The drill's context with this Redis in place of the single server. */
export function onRedis(context: DrillContext, { url }: { url: string }): DrillContext {
  const redis = { ...context.engines.redis, url };
  return { ...context, engines: { ...context.engines, redis } };
}

/** Prepares a folder for servers whose data is thrown away. They end with this process. Undefined where no server of Redis runs. */
export async function openRedisServers(log: (line: string) => void): Promise<RedisServers | undefined> {
  const context = prepareOwnEngines(log);
  const { data, reaper } = context;
  const server = await findLocalRedis(context);
  if (!server) {
    await reaper.stop();
    return undefined;
  }
  const serverAt = (port: number, argsIn: (folder: string) => string[]): RedisServerNode => {
    const name = `redis-${port}`;
    const folder = join(data, name);
    mkdirSync(folder);
    const args = argsIn(folder);
    ownFolder(folder);
    const url = `redis://127.0.0.1:${port}`;
    const what = { ...redisProcess(server, port, context), args, output: join(data, `logs/${name}.log`) };
    return { port, folder, ...createBreakable({ name, url, what, probe: redisProbe(url) }, reaper, log) };
  };
  return {
    add: (port, options) =>
      serverAt(port, (folder) => [
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        folder,
        ...REDIS_OPTIONS,
        ...options,
      ]),
    addSentinel: (port, configuration) =>
      serverAt(port, (folder) => {
        const file = join(folder, "sentinel.conf");
        writeFileSync(file, configuration);
        return [file, "--sentinel"];
      }),
    close: () => reaper.stop(),
  };
}

const HIGHEST = 20_000;
const LOWEST = 11_000;

/** Ports that are free now, each with the port for the bus of a Cluster, which is 10,000 higher. */
export async function freeRedisPorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if ((await isFree(port)) && (await isFree(port + 10_000))) found.add(port);
  }
  return [...found];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return true;
  } catch {
    return false;
  }
}
