import { findOrStartEngines } from "../../infra/engines/engines.ts";
import { type ProcessSpec, type Reaper, type Running, startReaper } from "../../infra/engines/reaper.ts";
import { findDataFolder, projectFolder } from "../../infra/engines/data-folder.ts";
import { elasticsearchProbe, type Probe, redisProbe, untilServing } from "../../infra/engines/probe.ts";

const SERVES_WITHIN_MS = 120_000;

/** An engine that can be broken: a process of its own, with data that stays. */
export type Breakable = {
  url: string;
  /** kill -9, and all it had in memory is gone. */
  kill(): Promise<void>;
  /** Asks it to end, and waits. */
  stop(): Promise<void>;
  /** Starts it again on its data and its port, and waits until it serves. */
  start(): Promise<void>;
};

export type DrillEngines = { elasticsearch: Breakable; redis: Breakable; close(): Promise<void> };

/** Elasticsearch and Redis as processes of this machine, for drills alone; their data is thrown away at the end. */
export async function startDrillEngines(log: (line: string) => void): Promise<DrillEngines> {
  const { ELASTICSEARCH_URL: _, REDIS_URL: __, ...env } = process.env;
  const reaper = startReaper();
  const started = new Map<string, { what: ProcessSpec; running: Running }>();
  const noting: Reaper = {
    ...reaper,
    async run(what) {
      const running = await reaper.run(what);
      started.set(what.output, { what, running });
      return running;
    },
  };
  const found = await findOrStartEngines({
    home: findDataFolder(env, projectFolder(), log),
    env,
    log,
    purpose: "test",
    only: "local",
    reaper: noting,
  });

  const breakable = (name: string, url: string, probe: Probe): Breakable => {
    const entry = [...started].find(([output]) => output.endsWith(`${name}.log`));
    if (!entry) throw new Error(`no process writes ${name}.log: the drills can't tell which one ${name} is`);
    const { what } = entry[1];
    let { running } = entry[1];
    return {
      url,
      async kill() {
        process.kill(-running.pid, "SIGKILL");
        await running.ended;
      },
      async stop() {
        process.kill(running.pid, "SIGTERM");
        await running.ended;
      },
      async start() {
        running = await reaper.run(what);
        await untilServing(probe, { withinMs: SERVES_WITHIN_MS, waiting: (reason) => log(`${name}: ${reason}`) });
      },
    };
  };
  return {
    elasticsearch: breakable("elasticsearch", found.elasticsearchUrl, elasticsearchProbe(found.elasticsearchUrl)),
    redis: breakable("redis", found.redisUrl, redisProbe(found.redisUrl)),
    close: () => found.stop(),
  };
}
