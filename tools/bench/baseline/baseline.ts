import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePorts } from "../../local-engines/ports.ts";
import type { Target } from "../load/exchange.ts";
import { type Process, startProcess } from "../environment/processes.ts";
import { processMeter } from "../environment/meters.ts";
import type { Environment } from "../environment/environment.ts";

/** Starts Koa with one Redis script. It has these answers, and is asked for those that `draw` gives the positions of. */
export async function startBaseline(
  environment: Environment,
  { answers, draw }: { answers: readonly string[]; draw: () => number } = { answers: [], draw: () => 0 },
): Promise<{ target: Target; process: Process }> {
  const file = join(environment.home, "baseline-answers.json");
  writeFileSync(file, JSON.stringify(answers));
  const { engines, meters } = environment;
  const { origin, process } = await startServer(environment, "koa", (port) => [
    engines.redisUrl,
    port,
    file,
    new URL(engines.elasticsearchUrl).origin,
  ]);
  const target: Target = {
    name: "Koa, one Redis script",
    origin,
    headers: {},
    next: () => ({ method: "GET", path: `/${draw()}` }),
    meters: { Koa: processMeter(process.pid), Redis: meters.redis },
  };
  return { target, process };
}

/** Starts a server of this folder. Resolves when it answers. */
export async function startServer(
  { reaper, project, env, home }: Environment,
  script: "koa" | "empty-tool",
  argumentsOf: (port: string) => string[],
): Promise<{ origin: string; process: Process }> {
  const [port] = (await freePorts(1)) as [number];
  const started = await startProcess(reaper, {
    command: process.execPath,
    args: [join(project, `tools/bench/baseline/${script}.ts`), ...argumentsOf(String(port))],
    env,
    cwd: project,
    output: join(home, `logs/${script}.log`),
    channel: true,
  });
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(origin).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
    if (isUp) return { origin, process: started };
    if (tries > 100) throw new Error(`${script} did not start; see logs/${script}.log`);
    await pause(100);
  }
}
