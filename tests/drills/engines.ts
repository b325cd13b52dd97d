import { findOrStartEngines } from "../../tools/local-engines/engines.ts";
import { type ProcessSpec, type Reaper, type Running, startReaper } from "../../tools/local-engines/reaper.ts";
import { findDataFolder, projectFolder } from "../../tools/local-engines/data-folder.ts";
import { elasticsearchProbe, type Probe, redisProbe } from "../../tools/local-engines/probe.ts";
import { type Breakable, createBreakable } from "./breakable.ts";

export type DrillEngines = {
  elasticsearch: Breakable;
  redis: Breakable;
  /** Its Elasticsearch is used by others too: a drill deletes what it wrote there. */
  isShared: boolean;
  close(): Promise<void>;
};

/**
 * Elasticsearch and Redis as processes of this machine, for drills alone; their data is thrown away at the end.
 * `elasticsearchUrl`: one that is there already, for drills that break Redis alone.
 */
export async function startDrillEngines(log: (line: string) => void, elasticsearchUrl?: string): Promise<DrillEngines> {
  const { ELASTICSEARCH_URL: _, REDIS_URL: __, ...rest } = process.env;
  const env = { ...rest, ...(elasticsearchUrl && { ELASTICSEARCH_URL: elasticsearchUrl }) };
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
    if (!entry) throw new Error(`no process writes ${name}.log: the drills can't recognise the process of ${name}`);
    return createBreakable({ name, url, probe, ...entry[1] }, reaper, log);
  };
  return {
    elasticsearch: elasticsearchUrl
      ? unbreakable(elasticsearchUrl)
      : breakable("elasticsearch", found.elasticsearchUrl, elasticsearchProbe(found.elasticsearchUrl)),
    redis: breakable("redis", found.redisUrl, redisProbe(found.redisUrl)),
    isShared: elasticsearchUrl !== undefined,
    close: () => found.stop(),
  };
}

function unbreakable(url: string): Breakable {
  const refuse = () => Promise.reject(new Error(`others use ${url} too: a drill that breaks it needs one of its own`));
  return { url, kill: refuse, stop: refuse, lose: refuse, start: refuse };
}
