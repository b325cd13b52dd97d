import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runToEnd } from "./one-off-command.ts";
import { type ProcessSpec, type Reaper, startReaper } from "./reaper.ts";
import { groupIsThere } from "./teardown.ts";

// Where process 1 is slow to bury orphans, the end of a group is seen late.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let folder: string;
let reaper: Reaper;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tranche-reaper-"));
  reaper = startReaper();
});
afterEach(async () => {
  await reaper.stop();
  rmSync(folder, { recursive: true });
});

const shell = (script: string, more: Partial<ProcessSpec> = {}): ProcessSpec => ({
  command: "/bin/sh",
  args: ["-c", script],
  env: process.env,
  cwd: folder,
  output: join(folder, "out.log"),
  graceMs: 5_000,
  ...more,
});

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited > 10_000) throw new Error("it does not become true");
    await sleep(20);
  }
}

test("what was begun last is ended first, and the end is awaited", async () => {
  const log = join(folder, "log");
  await reaper.run(shell("trap 'echo first >> log; exit' TERM; touch a; while :; do sleep 0.05; done"));
  reaper.onTeardown({ kind: "command", command: "/bin/sh", args: ["-c", `echo between >> ${log}`], env: {} });
  await reaper.run(shell("trap 'sleep 0.2; echo last >> log; exit' TERM; touch b; while :; do sleep 0.05; done"));
  await until(() => existsSync(join(folder, "a")) && existsSync(join(folder, "b")));
  await reaper.stop();
  expect(readFileSync(log, "utf8")).toBe("last\nbetween\nfirst\n");
});

test("a process that ignores SIGTERM is killed after its grace, with its children", async () => {
  const running = await reaper.run(
    shell("trap '' TERM; sleep 60 & touch a; while :; do sleep 0.05; done", { graceMs: 200 }),
  );
  await until(() => existsSync(join(folder, "a")));
  await reaper.stop();
  expect(groupIsThere(running.pid)).toBe(false);
});

test("folders are removed after the processes that use them", async () => {
  const data = join(folder, "data");
  reaper.onTeardown({ kind: "remove", path: data });
  await reaper.run(shell(`mkdir ${data}; trap 'touch ${data}/last; exit' TERM; touch a; while :; do sleep 0.05; done`));
  await until(() => existsSync(join(folder, "a")));
  await reaper.stop();
  expect(existsSync(data)).toBe(false);
});

test("the end of a process is reported, with its output if requested", async () => {
  const running = await reaper.run(shell("echo out; echo err >&2; exit 3", { output: "capture" }));
  expect(await running.ended).toMatchObject({ code: 3, signal: null, output: "out\n", errors: "err\n" });
});

test("a command that is not there is a rejection", async () => {
  await expect(reaper.run(shell("", { command: "/nowhere/at-all" }))).rejects.toThrow("/nowhere/at-all");
});

test("when the reaper is killed, this process ends what it held", async () => {
  const running = await reaper.run(shell("touch a; sleep 60"));
  await until(() => existsSync(join(folder, "a")));
  process.kill(reaper.pid, "SIGKILL");
  expect((await running.ended).error).toBe("its reaper process was killed");
  expect(groupIsThere(running.pid)).toBe(false);
});

test("an errand says why it failed", async () => {
  expect(await runToEnd(reaper, shell("exit 0"))).toBeUndefined();
  expect(await runToEnd(reaper, shell("exit 4"))).toBe("exit code 4");
  expect(await runToEnd(reaper, shell("sleep 60"), 100)).toBe("no end within 0.1 s");
});

test("a log over its limit is put aside", async () => {
  const output = join(folder, "out.log");
  writeFileSync(output, Buffer.alloc(21 << 20));
  await runToEnd(reaper, shell("echo new", { output }));
  expect(readFileSync(output, "utf8")).toBe("new\n");
});
