import pidusage from "pidusage";
import type { ProcessSpec, Reaper } from "../../local-engines/reaper.ts";

/** A process of ours, started for a benchmark; it ends with this one. */
export type Process = { pid: number; stop(): Promise<void>; ended: Promise<unknown> };

export async function startProcess(reaper: Reaper, what: Omit<ProcessSpec, "graceMs">): Promise<Process> {
  const { pid, ended } = await reaper.run({ ...what, graceMs: 25_000 });
  return {
    pid,
    ended,
    async stop() {
      process.kill(pid, "SIGTERM");
      await ended;
    },
  };
}

/** The usage of a process: CPU time since its start in ms, memory in MiB. */
export async function usageOf(pid: number): Promise<{ cpuMs: number; memoryMiB: number }> {
  const { ctime, memory } = await pidusage(pid);
  return { cpuMs: ctime, memoryMiB: memory / 2 ** 20 };
}
