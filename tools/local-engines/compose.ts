import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathHash } from "@tranche/shared/process/home";
import { runCommand } from "./command.ts";
import { dockerMissing, images, imagesMissing } from "./docker.ts";
import { logTail } from "./log-tail.ts";
import { runToEnd } from "./one-off-command.ts";
import { projectFolder } from "./data-folder.ts";
import { freePorts } from "./ports.ts";
import { elasticsearchProbe, type Probe, redisProbe, untilServing } from "./probe.ts";
import type { FoundEngines, Unavailable, Need, SourceContext } from "./source.ts";

const LOOK_EVERY_MS = 5_000;

/** Runs both engines by docker-compose.yml, with named volumes that belong to the home. */
export async function composeEngines(need: Need, context: SourceContext): Promise<FoundEngines | Unavailable> {
  const absent = await dockerMissing(context.env);
  if (absent) return absent;
  const host = context.env["DOCKER_HOST"];
  if (host && !host.startsWith("unix:"))
    return { missing: [`the Docker engine of DOCKER_HOST=${host} is not on this machine`] };
  const compose = await composeCommand(context.env);
  if (!compose)
    return { missing: ["a Docker engine answers, but neither `docker compose` nor `docker-compose` is there"] };
  const imageless = await imagesMissing(need, context);
  if (imageless) return imageless;

  const [http, redisPort] = (await freePorts(2)) as [number, number];
  const project = `tranche-${pathHash(context.data)}`;
  const named = images(context.env);
  const settings = {
    TRANCHE_ELASTICSEARCH_IMAGE: named.elasticsearch,
    TRANCHE_REDIS_IMAGE: named.redis,
    TRANCHE_ELASTICSEARCH_PORT: String(http),
    TRANCHE_REDIS_PORT: String(redisPort),
    TRANCHE_DISK_WATERMARKS: "false",
  };
  const [command, ...first] = compose as [string, ...string[]];
  const args = [...first, "--project-name", project, "--file", join(projectFolder(), "docker-compose.yml")];
  const services = [...(need.elasticsearch ? ["elasticsearch"] : []), ...(need.redis ? ["redis"] : [])];

  context.log(`starting ${services.join(" and ")} by docker compose`);
  const output = join(context.data, "logs/compose.log");
  mkdirSync(join(context.data, "logs"), { recursive: true });
  const env = { ...context.env, ...settings };
  context.reaper.onTeardown({ kind: "command", command, args: [...args, "down"], env });
  const what = { command, args: [...args, "up", "--detach", ...services], env, output };
  const problem = await runToEnd(context.reaper, what);
  if (problem)
    return { missing: [`docker compose could not start the engines (${problem}): ${logTail(output, 1).trim()}`] };

  const found: FoundEngines = { description: `Docker containers (compose project ${project}), data in its volumes` };
  const waits: Promise<void>[] = [];
  const over = new AbortController();
  const running = () =>
    runCommand(command, [...args, "ps", "--services", "--filter", "status=running"], {
      timeoutMs: 20_000,
      env: { ...context.env, ...settings },
    });
  const wait = (name: string, probe: Probe): void => {
    const waiting = (reason: string, seconds: number): void =>
      context.log(`${name} is still starting (${seconds} s: ${reason})`);
    const ended = untilStopped(name.toLowerCase(), running, over.signal);
    waits.push(untilServing(probe, { waiting, ended }));
  };
  if (need.elasticsearch) {
    found.elasticsearchUrl = `http://127.0.0.1:${http}`;
    wait("Elasticsearch", elasticsearchProbe(found.elasticsearchUrl));
  }
  if (need.redis) {
    found.redisUrl = `redis://127.0.0.1:${redisPort}`;
    wait("Redis", redisProbe(found.redisUrl));
  }
  try {
    await Promise.all(waits);
  } catch (error) {
    const logs = await runCommand(command, [...args, "logs", "--tail", "25", ...services], {
      timeoutMs: 20_000,
      env: { ...context.env, ...settings },
    });
    throw new Error(`The containers started, but one does not serve: ${(error as Error).message}\n${logs.output}`, {
      cause: error,
    });
  } finally {
    over.abort();
  }
  return found;
}

/** Resolves when a service that was started no longer runs. A Docker engine that does not answer leaves that open. */
async function untilStopped(
  service: string,
  running: () => Promise<{ ok: boolean; output: string }>,
  over: AbortSignal,
): Promise<string> {
  for (;;) {
    await sleep(LOOK_EVERY_MS, undefined, { signal: over, ref: false }).catch(() => {});
    if (over.aborted) return "the wait was cancelled";
    const { ok, output } = await running();
    if (ok && !output.split(/\s+/).includes(service)) return "its container ended";
  }
}

async function composeCommand(env: NodeJS.ProcessEnv): Promise<string[] | undefined> {
  for (const command of [["docker", "compose"], ["docker-compose"]]) {
    const [name, ...args] = command as [string, ...string[]];
    if ((await runCommand(name, [...args, "version"], { timeoutMs: 10_000, env })).ok) return command;
  }
  return undefined;
}
