import { NODE_FLAGS } from "@tranche/shared/process/v8-flags";
import { join } from "node:path";
import { freePorts } from "../../local-engines/ports.ts";
import { untilReady } from "../../../infra/start/apps.ts";
import { runOps } from "./ops.ts";
import { type Process, startProcess } from "./processes.ts";
import type { Environment } from "./environment.ts";

/** A running API and a key for it. `begun`: when its process was started, by performance.now(). */
export type Api = { origin: string; key: string; process: Process; begun: number };

/**
 * Starts the API as `npm run api` does, but as one process: the baselines are one process, too, and its CPU time and memory are easy to attribute.
 * `profile`: a folder that its CPU profile is written to when it is stopped.
 */
export async function startApi(environment: Environment, options: { profile?: string | undefined } = {}): Promise<Api> {
  const { project, home, reaper } = environment;
  const key = await createKey(environment);
  const [port] = (await freePorts(1)) as [number];
  const begun = performance.now();
  const started = await startProcess(reaper, {
    command: process.execPath,
    args: [
      ...NODE_FLAGS,
      ...(options.profile ? ["--cpu-prof", "--cpu-prof-dir", options.profile] : []),
      join(project, "apps/api/main.ts"),
    ],
    env: {
      ...environment.env,
      PORT: String(port),
      TRANCHE_API_PROCESSES: "1",
    },
    cwd: project,
    output: join(home, "logs/api.log"),
    channel: true,
  });
  const origin = `http://127.0.0.1:${port}`;
  await untilReady("api", origin);
  return { origin, key, process: started, begun };
}

/** An account on a plan without limits. */
async function createKey(environment: Environment): Promise<string> {
  const made = await runOps<{ key: string }>(
    environment,
    "accounts",
    "create",
    "--name",
    "Benchmark",
    "--plan",
    "scale",
  );
  return made.key;
}
