import { chmodSync, mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { shownAddress, waitForEngine } from "@tranche/shared/engines/search/wait";
import { shortenAppendOnlyFile } from "./append-only.ts";
import { composeEngines } from "./compose.ts";
import { containerEngines } from "./containers.ts";
import { startReaper, type Reaper } from "./reaper.ts";
import { localEngines } from "./local.ts";
import { memoryFolder } from "./memory-folder.ts";
import { startTime, type ProcessIdentity, noteProcesses, takeLock } from "./lock.ts";
import { nothingFound, type Tried } from "./nothing-found.ts";
import { elasticsearchProbe, type Probe, redisProbe } from "./probe.ts";
import { endProcess } from "./teardown.ts";
import type { FoundEngines, Need, SourceContext, EngineSource } from "./source.ts";

export type Engines = {
  elasticsearchUrl: string;
  redisUrl: string;
  origin: "given" | "docker" | "local";
  /** One line about where they come from, for people. */
  description: string;
  /** Resolves, with a text for people, when a local engine ends though nobody asked it to. */
  failed: Promise<string>;
  /** Ends what was started, cleanly, and waits for it. Given engines are left alone. */
  stop(): Promise<void>;
};

type EngineOptions = {
  /** Folder for data, downloads and logs, see `findDataFolder`. */
  home: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
  /** `start` keeps its data under the home and runs Docker through compose; `test` throws all away, and uses testcontainers. */
  purpose: "start" | "test";
  /** Whether the data is thrown away at the end; default: for tests. */
  ephemeral?: boolean;
  /** Look in this way alone; default: TRANCHE_ENGINES, else all. */
  only?: "docker" | "local" | undefined;
  /** How long to wait for given addresses that do not answer; default: a minute. */
  givenLimitMs?: number;
  /** An owner that ends more than the engines; default: one of their own. */
  reaper?: Reaper;
};

const EXAMPLES: Record<string, string> = { Elasticsearch: "http://127.0.0.1:9200", Redis: "redis://127.0.0.1:6379" };
/** Longer than any engine takes to end. */
const TAKE_LIMIT_MS = 60_000;
const NEVER = new Promise<never>(() => {});
const ORPHAN_GRACE_MS = 20_000;

/** No way leads to the engines on this machine; the message is for people. */
export class EnginesNotFound extends Error {
  override name = "EnginesNotFound";
}

/**
 * Finds Elasticsearch and Redis, or brings them up: addresses given by ELASTICSEARCH_URL and REDIS_URL, a Docker engine, local
 * processes. What was started ends with this process, however that ends.
 * Rejects with EnginesNotFound when there is no way, and with an Error when what was given or started does not serve.
 */
export async function findOrStartEngines(options: EngineOptions): Promise<Engines> {
  const { env, log } = options;
  const given = await givenEngines(options);
  const need: Need = { elasticsearch: !given.elasticsearchUrl, redis: !given.redisUrl };
  if (given.elasticsearchUrl && given.redisUrl) {
    return {
      elasticsearchUrl: given.elasticsearchUrl,
      redisUrl: given.redisUrl,
      origin: "given",
      description: "given by ELASTICSEARCH_URL and REDIS_URL",
      failed: NEVER,
      stop: async () => {},
    };
  }

  const reaper = options.reaper ?? startReaper();
  try {
    const ephemeral = options.ephemeral ?? options.purpose === "test";
    const data = ephemeral ? temporaryFolder(memoryFolder() ?? options.home, reaper) : options.home;
    const owner = ephemeral ? reaper : await lockData(data, reaper, log);
    const context: SourceContext = { downloads: join(options.home, "downloads"), data, env, log, reaper: owner };
    const { origin, found } = await firstAvailable(sourcesFor(options), need, context);
    const urls = { ...found, ...given } as Addresses;
    if (need.redis && !ephemeral) await shortenAppendOnlyFile(urls.redisUrl, log);
    return {
      ...urls,
      origin,
      description: describe(need, found),
      failed: found.failed ?? NEVER,
      stop: () => reaper.stop(),
    };
  } catch (error) {
    await reaper.stop();
    throw error;
  }
}

type Addresses = { elasticsearchUrl: string; redisUrl: string };

async function givenEngines({ env, log, givenLimitMs }: EngineOptions): Promise<Partial<Addresses>> {
  const given: Partial<Addresses> = {};
  const waits: Promise<void>[] = [];
  const wait = (engine: string, variable: string, url: string, probe: Probe): void => {
    if (!URL.canParse(url)) throw new Error(`${variable} is not an address. Expected one such as ${EXAMPLES[engine]}.`);
    waits.push(waitForEngine(engine, shownAddress(url), probe, log, givenLimitMs));
  };
  const elasticsearchUrl = env["ELASTICSEARCH_URL"];
  if (elasticsearchUrl) {
    given.elasticsearchUrl = elasticsearchUrl;
    wait(
      "Elasticsearch",
      "ELASTICSEARCH_URL",
      elasticsearchUrl,
      elasticsearchProbe(elasticsearchUrl, env["ELASTICSEARCH_API_KEY"]),
    );
  }
  const redisUrl = env["REDIS_URL"];
  if (redisUrl) {
    given.redisUrl = redisUrl;
    wait("Redis", "REDIS_URL", redisUrl, redisProbe(redisUrl));
  }
  await Promise.all(waits);
  return given;
}

type NamedSource = { origin: "docker" | "local"; name: Tried["source"]; find: EngineSource; skipped?: string };

function sourcesFor(options: EngineOptions): NamedSource[] {
  const only = options.only ?? options.env["TRANCHE_ENGINES"];
  if (only && only !== "docker" && only !== "local") {
    throw new Error(`TRANCHE_ENGINES is '${only}'; expected docker or local, or nothing for both.`);
  }
  const sources: NamedSource[] = [
    { origin: "docker", name: "Docker", find: options.purpose === "start" ? composeEngines : containerEngines },
    { origin: "local", name: "Local processes", find: localEngines },
  ];
  return sources.map((source) =>
    only && source.origin !== only ? { ...source, skipped: `not tried, because only ${only} was requested` } : source,
  );
}

async function firstAvailable(
  sources: NamedSource[],
  need: Need,
  context: SourceContext,
): Promise<{ origin: "docker" | "local"; found: FoundEngines }> {
  const tried: Tried[] = [];
  for (const { origin, name, find, skipped } of sources) {
    const found = skipped ? { missing: [skipped], isUsual: true as const } : await find(need, context);
    if (!("missing" in found)) return { origin, found };
    tried.push({ source: name, missing: found.missing });
    // The reasons of the last source are in the error.
    if (!found.isUsual && tried.length < sources.length)
      for (const line of found.missing) context.log(`${name}: ${line}`);
  }
  throw new EnginesNotFound(nothingFound(need, tried));
}

function describe(need: Need, found: FoundEngines): string {
  if (need.elasticsearch && need.redis) return found.description;
  const [given, other] = need.elasticsearch ? ["Redis", "Elasticsearch"] : ["Elasticsearch", "Redis"];
  return `${given} as given; ${other}: ${found.description}`;
}

/** A folder for one run, removed after its engines have ended. */
export function temporaryFolder(home: string, reaper: Reaper): string {
  mkdirSync(home, { recursive: true });
  const folder = mkdtempSync(join(home, "tranche-run-"));
  chmodSync(folder, 0o755);
  reaper.onTeardown({ kind: "remove", path: folder });
  return folder;
}

/**
 * Takes the data for this reaper: waits for engines of an earlier run that are still ending, and ends those that
 * lost both their parent and their reaper. Returns the reaper, which from now on notes what it runs in the lock.
 */
async function lockData(data: string, reaper: Reaper, log: (line: string) => void): Promise<Reaper> {
  const lock = join(data, "engines.lock");
  const deadline = Date.now() + TAKE_LIMIT_MS;
  let told = false;
  let taken = takeLock(lock, reaper.pid);
  while ("held" in taken) {
    if (Date.now() > deadline) {
      throw new Error(
        `The engines in ${data} are still held by process ${taken.held.pid}. Stop it, or set TRANCHE_HOME to another folder.`,
      );
    }
    if (!told) log(`waiting for the engines of an earlier run to end (process ${taken.held.pid})`);
    told = true;
    await sleep(250);
    taken = takeLock(lock, reaper.pid);
  }
  reaper.onTeardown({ kind: "remove", path: lock });
  if (taken.orphans.length > 0) log("ending engines that an earlier run left behind");
  await Promise.all(taken.orphans.map(({ pid }) => endProcess(pid, ORPHAN_GRACE_MS)));

  const identities = new Set<ProcessIdentity>();
  return {
    ...reaper,
    async run(what) {
      const running = await reaper.run(what);
      const identity = { pid: running.pid, born: startTime(running.pid) ?? "" };
      noteProcesses(lock, reaper.pid, [...identities.add(identity)]);
      void running.ended.then(() => identities.delete(identity));
      return running;
    },
  };
}
