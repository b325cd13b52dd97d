import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Something that was begun and has to be ended. */
export type TeardownStep =
  | { kind: "process"; pid: number; graceMs: number }
  | { kind: "command"; command: string; args: string[]; env: NodeJS.ProcessEnv }
  | { kind: "containers"; label: string }
  | { kind: "remove"; path: string };

const KILL_LIMIT_MS = 5_000;

/** Ends what was begun, last first, so that nothing outlives what it needs. A step that fails does not keep the others. */
export async function teardown(steps: TeardownStep[]): Promise<void> {
  for (let step = steps.pop(); step; step = steps.pop()) {
    try {
      await end(step);
    } catch (error) {
      process.stderr.write(`Could not end ${JSON.stringify(step)}: ${String(error)}\n`);
    }
  }
}

async function end(step: TeardownStep): Promise<void> {
  switch (step.kind) {
    case "process":
      return endProcess(step.pid, step.graceMs);
    case "command":
      await output(step.command, step.args, step.env);
      return;
    case "containers": {
      const ids = (await output("docker", ["ps", "--all", "--quiet", "--filter", `label=${step.label}`]))
        .split(/\s+/)
        .filter(Boolean);
      if (ids.length > 0) await output("docker", ["rm", "--force", "--volumes", ...ids]);
      return;
    }
    case "remove":
      await rm(step.path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Asks the leader of a process group to end, for it knows in which order its own children do; then what is left of the group.
 * Processes that have not ended after `graceMs` are killed.
 */
export async function endProcess(pid: number, graceMs: number): Promise<void> {
  if (!groupIsThere(pid)) return;
  signal(pid, "SIGTERM");
  const deadline = Date.now() + graceMs;
  await until(() => !signal(pid, 0), deadline);
  signal(-pid, "SIGTERM");
  if (await until(() => !groupIsThere(pid), deadline)) return;
  signal(-pid, "SIGKILL");
  await until(() => !groupIsThere(pid), Date.now() + KILL_LIMIT_MS);
}

async function until(condition: () => boolean, deadline: number): Promise<boolean> {
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}

/** Whether any process of the group that `pid` led is left. */
export function groupIsThere(pid: number): boolean {
  return signal(-pid, 0);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function output(command: string, args: string[], env?: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { timeout: 60_000, ...(env ? { env } : {}) }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
}
