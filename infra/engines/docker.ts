import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { lastLine, runCommand } from "./command.ts";
import { errand, logTail } from "./errand.ts";
import type { Lacking, Need, Surroundings } from "./way.ts";

const OFFICIAL = { elasticsearch: "docker.elastic.co/elasticsearch/elasticsearch:9.5.0", redis: "redis:7-alpine" };
const PULL_LIMIT_MS = 180_000;

/** The images of the two engines: the official ones, or what TRANCHE_ELASTICSEARCH_IMAGE and TRANCHE_REDIS_IMAGE name. */
export function images(env: NodeJS.ProcessEnv): { elasticsearch: string; redis: string } {
  return {
    elasticsearch: env["TRANCHE_ELASTICSEARCH_IMAGE"] || OFFICIAL.elasticsearch,
    redis: env["TRANCHE_REDIS_IMAGE"] || OFFICIAL.redis,
  };
}

/** Whether a Docker engine answers. */
export async function dockerLacks(env: NodeJS.ProcessEnv): Promise<Lacking | undefined> {
  const { ok, errors } = await runCommand("docker", ["info", "--format", "{{.ServerVersion}}"], {
    timeoutMs: 10_000,
    env,
  });
  if (ok) return undefined;
  const why = errors.includes("ENOENT") ? "the docker command is not on PATH" : lastLine(errors);
  return { lacking: [`no Docker engine answers: ${why}`] };
}

/** Whether the images are there, or can be pulled within about three minutes. */
export async function imagesLack(need: Need, here: Surroundings): Promise<Lacking | undefined> {
  const deadline = Date.now() + PULL_LIMIT_MS;
  const { elasticsearch, redis } = images(here.env);
  for (const image of [...(need.redis ? [redis] : []), ...(need.elasticsearch ? [elasticsearch] : [])]) {
    const inspected = await runCommand("docker", ["image", "inspect", image], { timeoutMs: 10_000, env: here.env });
    if (inspected.ok) continue;
    here.log(`pulling ${image}`);
    mkdirSync(join(here.data, "logs"), { recursive: true });
    const output = join(here.data, "logs/docker-pull.log");
    const what = { command: "docker", args: ["pull", image], env: here.env, output };
    const problem = await errand(here.guardian, what, Math.max(1_000, deadline - Date.now()));
    if (problem)
      return {
        lacking: [`a Docker engine answers, but cannot pull ${image} (${problem}): ${logTail(output, 1).trim()}`],
      };
  }
  return undefined;
}
