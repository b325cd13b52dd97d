import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { NODE_FLAGS } from "@tranche/shared/process/v8-flags";
import type { Ended, Reaper } from "../../tools/local-engines/reaper.ts";
import { howItEnded } from "../../tools/local-engines/boot.ts";
import { logTail } from "../../tools/local-engines/log-tail.ts";

/** Longer than the apps give themselves to close. */
const GRACE_MS = 25_000;
const READY_LIMIT_MS = 90_000;

/** The programs that run until they are stopped, as people are told of them. */
const APPS = {
  api: "The API",
  indexer: "The indexer",
  operators: "The operators' process",
  dashboard: "The dashboard",
} as const;

export type App = { name: keyof typeof APPS; log: string; ended: Promise<Ended> };

/** Starts `apps/<name>/main.ts` with its JSON log lines in a file of the home. */
export async function startApp(
  reaper: Reaper,
  name: App["name"],
  { project, home, env }: { project: string; home: string; env: NodeJS.ProcessEnv },
): Promise<App> {
  const log = join(home, "logs", `${name}.log`);
  const running = await reaper.run({
    command: process.execPath,
    args: [...NODE_FLAGS, join(project, "apps", name, "main.ts")],
    env,
    cwd: project,
    output: log,
    graceMs: GRACE_MS,
    channel: true,
  });
  return { name, log, ended: running.ended };
}

const RESTART_AFTER_MS = 2_000;

/** Starts an app, and again each time that it ends though nobody asked it to. */
export async function keepRunning(
  reaper: Reaper,
  name: App["name"],
  setting: Parameters<typeof startApp>[2],
  { isStopping, say }: { isStopping: () => boolean; say: (text: string) => void },
): Promise<void> {
  const app = await startApp(reaper, name, setting);
  void app.ended.then(async (how) => {
    if (isStopping()) return;
    say(`${appFailure(app, how)}\nIt is started again.`);
    await sleep(RESTART_AFTER_MS);
    if (!isStopping()) await keepRunning(reaper, name, setting, { isStopping, say });
  });
}

/** A text for people about an app that ended though nobody asked it to. */
export function appFailure(app: App, how: Ended): string {
  return `${APPS[app.name]} ended unexpectedly (${howItEnded(how)}). The end of ${app.log}:\n${logTail(app.log, 15)}`;
}

/** Waits until an app says at its address that it is ready. Rejects with what it says instead after a minute and a half. */
export async function untilReady(name: App["name"], url: string): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS;
  for (;;) {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
      async (response) => (response.ok ? undefined : `${response.status} ${await response.text()}`),
      (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
    );
    if (answer === undefined) return;
    if (Date.now() > deadline) throw new Error(`${APPS[name]} is not ready: ${url}/health/ready says ${answer}`);
    await sleep(250);
  }
}
