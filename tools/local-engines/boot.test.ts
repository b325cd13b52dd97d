import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { boot } from "./boot.ts";
import { type Reaper, startReaper } from "./reaper.ts";
import type { SourceContext } from "./source.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let folder: string;
let reaper: Reaper;
let told: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tranche-boot-"));
  reaper = startReaper();
  told = [];
});
afterEach(async () => {
  vi.restoreAllMocks();
  await reaper.stop();
  rmSync(folder, { recursive: true });
});

const context = (): SourceContext => ({
  downloads: folder,
  data: folder,
  env: process.env,
  log: (line) => told.push(line),
  reaper,
});
const engine = (script: string) => ({
  command: "/bin/sh",
  args: ["-c", script],
  env: process.env,
  cwd: folder,
  output: join(folder, "engine.log"),
  graceMs: 1000,
});

/** Time passes four minutes at each look. */
function hurry(): void {
  const start = Date.now();
  let looks = 0;
  vi.spyOn(Date, "now").mockImplementation(() => start + 240_000 * looks++);
}

test("an engine that is slow to serve is waited for as long as its process lives, with a line now and then", async () => {
  hurry();
  let asked = 0;
  const probe = async () => {
    if (++asked < 4) throw new Error("its health is red");
  };
  await boot("Elasticsearch", engine("exec sleep 60"), probe, context());
  expect(asked).toBe(4);
  expect(told[0]).toMatch(/^Elasticsearch is still starting \(\d+ s: its health is red\); its log is .*engine\.log$/);
});

test("one whose process ends is not waited for: the end of its log says why", async () => {
  writeFileSync(join(folder, "engine.log"), "");
  const refused = boot(
    "Redis",
    engine("echo no memory; exit 3"),
    () => Promise.reject(new Error("refused")),
    context(),
  );
  await expect(refused).rejects.toThrow(/^Redis did not start: it ended with code 3\n.*\n {2}no memory$/s);
});
