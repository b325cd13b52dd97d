import { join } from "node:path";
import { NODE_FLAGS } from "@tranche/shared/process/v8-flags";
import { untilReady } from "../../../infra/start/apps.ts";
import { freePorts } from "../../local-engines/ports.ts";
import type { Environment } from "./environment.ts";
import { type Process, startProcess } from "./processes.ts";

const TOKEN = "the-token-of-the-benchmarks";

/** A running operators' process, and the headers of an operator. */
export type Operators = { origin: string; headers: Record<string, string>; process: Process };

/** Starts the operators' process as `npm run operators` does. */
export async function startOperators(environment: Environment): Promise<Operators> {
  const { project, home, reaper } = environment;
  const [port] = (await freePorts(1)) as [number];
  const started = await startProcess(reaper, {
    command: process.execPath,
    args: [...NODE_FLAGS, join(project, "apps/operators/main.ts")],
    env: { ...environment.env, TRANCHE_OPERATOR_PORT: String(port), TRANCHE_OPERATOR_TOKEN: TOKEN },
    cwd: project,
    output: join(home, "logs/operators.log"),
    channel: true,
  });
  const origin = `http://127.0.0.1:${port}`;
  await untilReady("operators", origin);
  return { origin, headers: { authorization: `Bearer ${TOKEN}` }, process: started };
}
