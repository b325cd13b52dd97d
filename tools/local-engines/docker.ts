import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { lastLine, runCommand } from "./command.ts";
import { logTail } from "./log-tail.ts";
import { runToEnd } from "./one-off-command.ts";
import type { Unavailable, Need, SourceContext } from "./source.ts";

const OFFICIAL = { elasticsearch: "docker.elastic.co/elasticsearch/elasticsearch:9.5.0", redis: "redis:8-alpine" };
const PULL_LIMIT_MS = 180_000;

/** The images of the two engines: the official ones, or what TRANCHE_ELASTICSEARCH_IMAGE and TRANCHE_REDIS_IMAGE name. */
export function images(env: NodeJS.ProcessEnv): { elasticsearch: string; redis: string } {
  return {
    elasticsearch: env["TRANCHE_ELASTICSEARCH_IMAGE"] || OFFICIAL.elasticsearch,
    redis: env["TRANCHE_REDIS_IMAGE"] || OFFICIAL.redis,
  };
}

/** Whether a Docker engine answers. */
export async function dockerMissing(env: NodeJS.ProcessEnv): Promise<Unavailable | undefined> {
  const { ok, errors } = await runCommand("docker", ["info", "--format", "{{.ServerVersion}}"], {
    timeoutMs: 10_000,
    env,
  });
  if (ok) return undefined;
  const why = errors.includes("ENOENT") ? "the docker command is not on PATH" : lastLine(errors);
  return { missing: [`no Docker engine answers: ${why}`], isUsual: true };
}

/** Whether the images are there, or can be pulled within about three minutes. */
export async function imagesMissing(need: Need, context: SourceContext): Promise<Unavailable | undefined> {
  const deadline = Date.now() + PULL_LIMIT_MS;
  const { elasticsearch, redis } = images(context.env);
  for (const image of [...(need.redis ? [redis] : []), ...(need.elasticsearch ? [elasticsearch] : [])]) {
    const inspected = await runCommand("docker", ["image", "inspect", image], { timeoutMs: 10_000, env: context.env });
    if (inspected.ok) continue;
    context.log(`pulling ${image}`);
    mkdirSync(join(context.data, "logs"), { recursive: true });
    const output = join(context.data, "logs/docker-pull.log");
    const what = { command: "docker", args: ["pull", image], env: context.env, output };
    const problem = await runToEnd(context.reaper, what, Math.max(1_000, deadline - Date.now()));
    if (problem)
      return {
        missing: [`a Docker engine answers, but cannot pull ${image} (${problem}): ${logTail(output, 1).trim()}`],
      };
  }
  return undefined;
}
