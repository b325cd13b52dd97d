import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const project = join(import.meta.dirname, "../..");
const start = (...args: string[]) => spawn(process.execPath, [join(import.meta.dirname, "main.ts"), ...args]);

test("the process ends with 2 after a wrong call", async () => {
  const child = start("ingst");
  const [told, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect([code, told]).toEqual([2, expect.stringContaining("unknown command 'ingst'")]);
});

test("a reader that goes away, as `head` does, is no failure", async () => {
  const child = start("--help");
  child.stdout.destroy();
  const [told, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect([code, told]).toEqual([0, ""]);
});

test("`npm run ops` passes arguments on", async () => {
  const { stdout } = await promisify(execFile)("npm", ["run", "-s", "ops", "--", "keys", "--help"], { cwd: project });
  expect(stdout).toMatch(/^Usage: ops keys/);
});
