import { chmodSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import type { ProcessSpec } from "./reaper.ts";
import { engineUser } from "./data-folder.ts";
import type { SourceContext } from "./source.ts";

/** The version that BullMQ needs. */
export const LEAST_REDIS = "6.2";
export const REDIS_ARTIFACT = "com.github.codemonstur:embedded-redis:1.4.3:jar";

/** Settings that hold for every Redis which Tranche starts: the queue must survive a crash and never be evicted. */
export const REDIS_OPTIONS = [
  "--appendonly",
  "yes",
  "--appendfsync",
  "everysec",
  "--save",
  "",
  "--maxmemory-policy",
  "noeviction",
];

const GRACE_MS = 10_000;

export type RedisServer = { command: string; version: string };

const EMBEDDED_NAMES: Record<string, string> = {
  "linux-x64": "redis-server-6.2.6-v5-linux-amd64",
  "linux-arm64": "redis-server-6.2.7-linux-arm64",
  "linux-ia32": "redis-server-6.2.7-linux-386",
  "darwin-x64": "redis-server-6.2.6-v5-darwin-amd64",
  "darwin-arm64": "redis-server-6.2.6-v5-darwin-arm64",
};

export const redisFolder = (data: string): string => join(data, "redis");

/** The version in what `redis-server --version` prints, such as `Redis server v=7.0.15 sha=0`. */
export function redisVersion(printed: string): string | undefined {
  return /\bv=(\d+\.\d+\.\d+)/.exec(printed)?.[1];
}

/** Whether a version such as 7.0.15 is at least LEAST_REDIS. */
export function redisIsNewEnough(version: string): boolean {
  return version.localeCompare(LEAST_REDIS, "en", { numeric: true }) >= 0;
}

/** The server that `command` names, if it runs here as the engines' user. */
export async function redisServer(command: string, env: NodeJS.ProcessEnv): Promise<RedisServer | undefined> {
  const { output } = await runCommand(command, ["--version"], { timeoutMs: 10_000, cwd: "/", env, ...engineUser() });
  const version = redisVersion(output);
  return version ? { command, version } : undefined;
}

/** The name of the server for a platform inside the unpacked artifact; undefined when it has none. */
export function embeddedRedisName(platform: string, architecture: string): string | undefined {
  return EMBEDDED_NAMES[`${platform}-${architecture}`];
}

/** The server inside the unpacked artifact, if it runs here. */
export async function embeddedRedis(
  folder: string,
  name: string,
  env: NodeJS.ProcessEnv,
): Promise<RedisServer | undefined> {
  const path = join(folder, name);
  chmodSync(path, 0o755);
  return redisServer(path, env);
}

export function redisProcess({ command }: RedisServer, port: number, context: SourceContext): ProcessSpec {
  return {
    command,
    args: ["--port", String(port), "--bind", "127.0.0.1", "--dir", redisFolder(context.data), ...REDIS_OPTIONS],
    env: context.env,
    cwd: context.data,
    ...engineUser(),
    output: join(context.data, "logs/redis.log"),
    graceMs: GRACE_MS,
  };
}
