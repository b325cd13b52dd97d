/**
 * A small process of its own that owns everything that must not outlive its parent. It is sent what to run and what to undo
 * over the channel to the parent; when that channel closes, for whatever reason (also `kill -9`), it ends it all in order.
 * It leads a session of its own, so that a Ctrl-C in the terminal reaches the parent only.
 */
import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { closeSync, openSync, renameSync, statSync } from "node:fs";
import type { FromReaper, ProcessSpec, ToReaper } from "./reaper.ts";
import { groupIsThere, teardown, type TeardownStep } from "./teardown.ts";

const LOG_LIMIT_BYTES = 20 << 20;
const steps: TeardownStep[] = [];
let ending = false;

process.on("message", (message: ToReaper) => {
  if (message.order === "stop") void endAll();
  else if (ending) return;
  else if (message.order === "teardown") steps.push(message.step);
  else run(message.id, message.process);
});
process.on("disconnect", () => void endAll());
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => void endAll());

function run(id: number, what: ProcessSpec): void {
  const out = what.output === "inherit" ? "inherit" : what.output === "capture" ? "pipe" : openLog(what.output);
  const umask = process.umask(what.umask ?? process.umask());
  const child = spawn(what.command, what.args, {
    env: what.env,
    cwd: what.cwd,
    uid: what.uid,
    gid: what.gid,
    detached: true,
    stdio: what.channel ? ["ignore", out, out, "ipc"] : ["ignore", out, out],
  });
  process.umask(umask);
  if (typeof out === "number") closeSync(out);
  const step: TeardownStep | undefined = child.pid
    ? { kind: "process", pid: child.pid, graceMs: what.graceMs }
    : undefined;
  if (step) {
    steps.push(step);
    tell({ news: "started", id, pid: child.pid! });
  }
  child.on("error", (error) => tell({ news: "ended", id, code: null, signal: null, error: error.message }));
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  child.on("exit", () => {
    // Others of its group may live on; a free process id may be given to another process.
    if (step?.kind === "process" && !ending && !groupIsThere(step.pid)) steps.splice(steps.indexOf(step), 1);
  });
  child.on("close", (code, signal) => tell({ news: "ended", id, code, signal, output: output(), errors: errors() }));
}

function collect(stream: Readable | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

function openLog(path: string): number {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) renameSync(path, `${path}.old`);
  return openSync(path, "a");
}

function tell(news: FromReaper): void {
  if (process.connected) process.send!(news, () => {});
}

async function endAll(): Promise<void> {
  if (ending) return;
  ending = true;
  await teardown(steps);
  process.exit(0);
}
