import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePorts } from "../../infra/engines/ports.ts";
import type { Target } from "../load/exchange.ts";
import { type Process, startProcess } from "../stage/processes.ts";
import { processMeter } from "../stage/meters.ts";
import type { Stage } from "../stage/stage.ts";

/** Starts Koa with one Redis script, which answers everything with these bytes. */
export async function startRival(stage: Stage, body: Uint8Array): Promise<{ target: Target; process: Process }> {
  const file = join(stage.home, "rival-body");
  writeFileSync(file, body);
  const [port] = (await freePorts(1)) as [number];
  const started = await startProcess(stage.reaper, {
    command: process.execPath,
    args: [
      join(stage.project, "bench/rival/koa.ts"),
      stage.engines.redisUrl,
      String(port),
      file,
      new URL(stage.engines.elasticsearchUrl).origin,
    ],
    env: stage.env,
    cwd: stage.project,
    output: join(stage.home, "logs/rival.log"),
    channel: true,
  });
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const answers = await fetch(origin).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
    if (answers) break;
    if (tries > 100) throw new Error("Koa with one Redis script did not start; see logs/rival.log");
    await pause(100);
  }
  const target: Target = {
    name: "Koa, one Redis script",
    origin,
    headers: {},
    next: () => ({ method: "GET", path: "/" }),
    meters: { Koa: processMeter(started.pid), Redis: stage.meters.redis },
  };
  return { target, process: started };
}
