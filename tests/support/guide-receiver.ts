import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { guideExamples } from "./guide-examples.ts";
import { keptRows } from "./kept-rows.ts";
import { freePort } from "./service.ts";

const MODULES = join(import.meta.dirname, "../../node_modules");

/** The receiver that the guide on webhooks shows, as a process of its own. */
export type GuideReceiver = {
  url: string;
  start(secret: string): Promise<void>;
  /** The rows of its table, by id. */
  copy(): Map<string, unknown>;
  close(): Promise<void>;
};

/** Its address is known before it starts, because it needs the secret of a webhook that sends there. */
export async function prepareGuideReceiver(): Promise<GuideReceiver> {
  const folder = mkdtempSync(join(tmpdir(), "tranche-receiver-"));
  const file = join(folder, "receiver.mts");
  const database = join(folder, "webhook.db");
  symlinkSync(MODULES, join(folder, "node_modules"));
  const { code } = guideExamples().find(({ guide, language }) => guide === "webhooks.md" && language === "ts")!;
  writeFileSync(file, code);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  let running: ChildProcess | undefined;
  const start = async (secret: string) => {
    const env = { ...process.env, SECRET: secret, PORT: String(port), MIRROR: database };
    const started = (running = spawn(process.execPath, [file], { env, stdio: "ignore" }));
    while (!(await fetch(url).catch(() => undefined))) {
      if (started.exitCode !== null) throw new Error(`the guide's receiver ended with code ${started.exitCode}`);
      await pause(50);
    }
  };
  const end = async () => {
    if (!running || running.exitCode !== null) return;
    running.kill("SIGKILL");
    await once(running, "exit");
  };
  return {
    url,
    start,
    copy: () => keptRows(database, "rows"),
    async close() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
