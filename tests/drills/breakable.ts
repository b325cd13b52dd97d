import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Probe, untilServing } from "../../tools/local-engines/probe.ts";
import type { ProcessSpec, Reaper, Running } from "../../tools/local-engines/reaper.ts";

/** An engine that can be broken: a process of its own, with data that stays. */
export type Breakable = {
  url: string;
  /** kill -9, and all it had in memory is gone. */
  kill(): Promise<void>;
  /** Asks it to end, and waits. */
  stop(): Promise<void>;
  /** kill -9, and its data is deleted. */
  lose(): Promise<void>;
  /** Starts it again on its data and its port, and waits until it serves. */
  start(): Promise<void>;
};

const SERVES_WITHIN_MS = 180_000;

/** `running`: the process, if it runs already. */
export function createBreakable(
  engine: { name: string; url: string; what: ProcessSpec; probe: Probe; running?: Running },
  reaper: Pick<Reaper, "run">,
  log: (line: string) => void,
): Breakable {
  const { name, url, what, probe } = engine;
  let { running } = engine;
  const kill = async () => {
    if (!running) return;
    process.kill(-running.pid, "SIGKILL");
    await running.ended;
    running = undefined;
  };
  return {
    url,
    kill,
    async lose() {
      await kill();
      const folder = dataOf(what);
      for (const entry of await readdir(folder)) await rm(join(folder, entry), { recursive: true, force: true });
    },
    async stop() {
      if (!running) return;
      process.kill(running.pid, "SIGTERM");
      await running.ended;
      running = undefined;
    },
    async start() {
      running = await reaper.run(what);
      const ended = running.ended.then(() => `${name} ended; its log is ${what.output}`);
      const waiting = (reason: string) => log(`${name}: ${reason}`);
      await untilServing(probe, { withinMs: SERVES_WITHIN_MS, waiting, ended });
    },
  };
}

/** Where an engine keeps its data: Redis gets it as `--dir`, Elasticsearch has it in its own folder. */
function dataOf({ args, cwd }: ProcessSpec): string {
  const at = args.indexOf("--dir");
  return at === -1 ? join(cwd!, "data") : args[at + 1]!;
}
