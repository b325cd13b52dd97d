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
  const [port] = (await freePorts(1)) as [number];
  const started = await startProcess(environment.reaper, {
    command: process.execPath,
    args: [
      join(environment.project, "tools/bench/baseline/koa.ts"),
      environment.engines.redisUrl,
      String(port),
      file,
      new URL(environment.engines.elasticsearchUrl).origin,
    ],
    env: environment.env,
    cwd: environment.project,
    output: join(environment.home, "logs/baseline.log"),
    channel: true,
  });
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(origin).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
    if (isUp) break;
    if (tries > 100) throw new Error("Koa with one Redis script did not start; see logs/baseline.log");
    await pause(100);
  }
  const target: Target = {
    name: "Koa, one Redis script",
    origin,
    headers: {},
    next: () => ({ method: "GET", path: `/${draw()}` }),
    meters: { Koa: processMeter(started.pid), Redis: environment.meters.redis },
  };
  return { target, process: started };
}
