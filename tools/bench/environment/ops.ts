import { join } from "node:path";
import type { Environment } from "./environment.ts";
import { usageOf } from "./processes.ts";

/** Runs a command of `ops` as a process, to its end. Returns what it prints with `--json`; throws when it fails. */
export async function runOps<T>(environment: Environment, ...args: string[]): Promise<T> {
  return (await runMeteredOps<T>(environment, ...args)).printed;
}

const LOOK_EVERY_MS = 50;

/** As `runOps`, with the CPU time that the process used from its start, in ms: as it was a moment before its end. */
export async function runMeteredOps<T>(
  { project, reaper, env }: Environment,
  ...args: string[]
): Promise<{ printed: T; cpuMs: number }> {
  const { pid, ended } = await reaper.run({
    command: process.execPath,
    args: [join(project, "apps/ops/main.ts"), ...args, "--json"],
    env,
    cwd: project,
    output: "capture",
    graceMs: 1000,
  });
  let cpuMs = 0;
  const look = () => usageOf(pid).then((usage) => (cpuMs = Math.max(cpuMs, usage.cpuMs)));
  // The process may have ended.
  const watch = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS);
  const { code, output, errors } = await ended.finally(() => clearInterval(watch));
  if (code !== 0) throw new Error(`ops ${args.join(" ")} ended with ${code}: ${output ?? ""}${errors ?? ""}`);
  return { printed: JSON.parse(output ?? "") as T, cpuMs };
}
