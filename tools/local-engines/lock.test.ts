import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTime, isAlive, noteProcesses, takeLock } from "./lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tranche-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A process that has ended, and one that lives until `end` is called. */
async function deadPid(): Promise<number> {
  const child = spawn("true");
  await once(child, "exit");
  return child.pid!;
}
function sleeper(): { pid: number; end: () => Promise<unknown> } {
  const child = spawn("sleep", ["60"]);
  return { pid: child.pid!, end: () => (child.kill("SIGKILL"), once(child, "exit")) };
}

test("a lock that somebody alive holds is not given", () => {
  const file = join(folder, "lock");
  expect(takeLock(file, process.pid)).toEqual({ orphans: [] });
  expect(takeLock(file, process.ppid)).toEqual({
    held: { pid: process.pid, born: startTime(process.pid), processes: [] },
  });
});

test("a dead holder's lock is taken over, with the processes that outlived it", async () => {
  const file = join(folder, "lock");
  const orphan = sleeper();
  takeLock(file, await deadPid());
  const identity = { pid: orphan.pid, born: startTime(orphan.pid)! };
  // Another one ended, and its id may be anybody's by now.
  noteProcesses(file, await deadPid(), [identity, { pid: process.pid, born: "long ago" }]);
  expect(takeLock(file, process.pid)).toEqual({ orphans: [identity] });
  expect(takeLock(file, process.ppid)).toHaveProperty("held.pid", process.pid);
  await orphan.end();
});

test("a process that got the id of a dead holder does not hold its lock", () => {
  const file = join(folder, "lock");
  writeFileSync(file, JSON.stringify({ pid: process.pid, born: "long ago", processes: [] }));
  expect(takeLock(file, process.pid)).toEqual({ orphans: [] });
});

test("a lock file that a crash left half written is taken over", () => {
  const file = join(folder, "lock");
  writeFileSync(file, '{"pid": 1');
  expect(takeLock(file, process.pid)).toEqual({ orphans: [] });
});

test("a process is alive until it ends", async () => {
  const { pid, end } = sleeper();
  const identity = { pid, born: startTime(pid)! };
  expect(isAlive(identity)).toBe(true);
  await end();
  expect(isAlive(identity)).toBe(false);
});
