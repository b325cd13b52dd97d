import { join } from "node:path";
import type { Environment } from "./environment.ts";

/** Runs a command of `ops` as a process, to its end. Returns what it prints with `--json`; throws when it fails. */
export async function runOps<T>({ project, reaper, env }: Environment, ...args: string[]): Promise<T> {
  const { code, output, errors } = await (
    await reaper.run({
      command: process.execPath,
      args: [join(project, "apps/ops/main.ts"), ...args, "--json"],
      env,
      cwd: project,
      output: "capture",
      graceMs: 1000,
    })
  ).ended;
  if (code !== 0) throw new Error(`ops ${args.join(" ")} ended with ${code}: ${output ?? ""}${errors ?? ""}`);
  return JSON.parse(output ?? "") as T;
}
