import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { pathHash } from "@tranche/shared/process/home";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test, type TestContext } from "vitest";
import { ENGINES } from "../support/engines.ts";
import { runCommand } from "../../tools/local-engines/command.ts";
import { type Engines, EnginesNotFound, findOrStartEngines } from "../../tools/local-engines/engines.ts";
import { findDataFolder, projectFolder } from "../../tools/local-engines/data-folder.ts";
import { type Holder, isAlive, type ProcessIdentity } from "../../tools/local-engines/lock.ts";
import { freePorts } from "../../tools/local-engines/ports.ts";

type Way = "local" | "docker";
type Addresses = Pick<Engines, "elasticsearchUrl" | "redisUrl">;

// The engines' addresses of this run are not for these tests: they look for engines of their own.
const env: NodeJS.ProcessEnv = {
  ...process.env,
  ELASTICSEARCH_URL: undefined,
  REDIS_URL: undefined,
  TRANCHE_ENGINES: undefined,
};
const BOOT_MS = 420_000;

let home: string;
let log: string[];
/** What a test that fails leaves running. */
const ends: (() => unknown)[] = [];
beforeEach(() => {
  const project = findDataFolder(process.env, projectFolder(), () => {});
  home = mkdtempSync(join(project, "engines-test-"));
  chmodSync(home, 0o755);
  mkdirSync(join(project, "downloads"), { recursive: true });
  symlinkSync(join(project, "downloads"), join(home, "downloads"));
  log = [];
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
});

/** Brings engines up, or skips the test with the reason why this machine cannot. */
async function bringUp(context: TestContext, only: Way, given: NodeJS.ProcessEnv = {}): Promise<Engines> {
  try {
    const settings = { ...env, ...given };
    const engines = await findOrStartEngines({
      home,
      env: settings,
      log: (line) => log.push(line),
      purpose: "start",
      only,
    });
    ends.push(() => engines.stop());
    return engines;
  } catch (error) {
    if (error instanceof EnginesNotFound) return cannot(context, error.message);
    throw error;
  }
}

/** The same in a process of its own. */
async function bringUpElsewhere(
  context: TestContext,
  only: Way,
): Promise<{ parent: ChildProcess; engines: Addresses }> {
  const parent = spawn(process.execPath, [join(projectFolder(), "tests/setup/engine-parent.ts"), home, only], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  ends.push(() => parent.kill("SIGKILL"));
  for await (const line of createInterface({ input: parent.stdout })) {
    const said = JSON.parse(line) as Addresses | { notFound: string };
    return "notFound" in said ? cannot(context, said.notFound) : { parent, engines: said };
  }
  throw new Error("the parent ended without a word");
}

function cannot(context: TestContext, reason: string): never {
  console.log(`Not run: ${context.task.name}\n${reason}`);
  return context.skip(reason);
}

async function write({ elasticsearchUrl, redisUrl }: Addresses, value: string): Promise<void> {
  const client = createSearchClient({ url: elasticsearchUrl }, { connections: 1, requestTimeoutMs: 120_000 });
  await client.index({ index: "kept", id: "1", document: { value } });
  await client.close();
  const redis = new Redis(redisUrl);
  await redis.set("kept", value);
  await redis.quit();
}

/** Says the same so often that the append-only file is long, though what is kept is short. */
async function lengthenAppendOnlyFile({ redisUrl }: Addresses): Promise<void> {
  const redis = new Redis(redisUrl);
  // As if it had been written over many days, on none of which it doubled.
  await redis.config("SET", "auto-aof-rewrite-percentage", "0");
  const megabyte = "x".repeat(1024 ** 2);
  for (let written = 0; written < 70; written++) await redis.set("kept", megabyte);
  await redis.quit();
}

async function appendOnlyFileMiB({ redisUrl }: Addresses): Promise<number> {
  const redis = new Redis(redisUrl);
  const [, bytes] = /^aof_current_size:(\d+)/m.exec(await redis.info("persistence"))!;
  await redis.quit();
  return Number(bytes) / 1024 ** 2;
}

async function read({ elasticsearchUrl, redisUrl }: Addresses): Promise<[unknown, string | null]> {
  const client = createSearchClient({ url: elasticsearchUrl }, { connections: 1, requestTimeoutMs: 120_000 });
  const { _source } = await client.get<{ value: string }>({ index: "kept", id: "1" });
  await client.close();
  const redis = new Redis(redisUrl);
  const value = await redis.get("kept");
  await redis.quit();
  return [_source?.value, value];
}

/** The reaper and the engines that the lock names. */
function holder(): { reaper: ProcessIdentity; processes: ProcessIdentity[] } {
  const { processes, ...reaper } = JSON.parse(readFileSync(join(home, "engines.lock"), "utf8")) as Holder;
  return { reaper, processes };
}

async function untilGone(lives: ProcessIdentity[], withinMs: number): Promise<void> {
  for (let waited = 0; lives.some(isAlive) && waited < withinMs; waited += 100) await sleep(100);
  expect(lives.filter(isAlive)).toEqual([]);
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe("local processes", () => {
  // One test, because each start of Elasticsearch takes many seconds.
  test(
    "keep their data, whether they end on request, by a kill -9 of their parent, or at the next start after parent and reaper were killed",
    { timeout: BOOT_MS },
    async (context) => {
      const first = await bringUp(context, "local");
      await write(first, "still here");
      const atFirst = holder();
      expect(atFirst.processes).toHaveLength(2);
      await first.stop();
      expect([atFirst.reaper, ...atFirst.processes].filter(isAlive)).toEqual([]);
      expect(existsSync(join(home, "engines.lock"))).toBe(false);

      const second = await bringUpElsewhere(context, "local");
      expect(await read(second.engines)).toEqual(["still here", "still here"]);
      await write(second.engines, "survived");
      const atSecond = holder();
      await killed(second.parent);

      // The next start does not wait for their end: it has to.
      const third = await bringUpElsewhere(context, "local");
      expect([atSecond.reaper, ...atSecond.processes].filter(isAlive)).toEqual([]);
      expect(await read(third.engines)).toEqual(["survived", "survived"]);
      await write(third.engines, "survived again");
      const { reaper, processes } = holder();
      // Stopped first, so that neither sees the other's end.
      process.kill(reaper.pid, "SIGSTOP");
      await killed(third.parent);
      process.kill(reaper.pid, "SIGKILL");
      await untilGone([reaper], 5_000);
      expect(processes.filter(isAlive)).toHaveLength(2);

      const fourth = await bringUp(context, "local");
      expect(log).toContain("ending engines that an earlier run left behind");
      expect(processes.filter(isAlive)).toEqual([]);
      expect(await read(fourth)).toEqual(["survived again", "survived again"]);
      await fourth.stop();
    },
  );

  test(
    "write an append-only file anew that has become long, when they are started",
    { timeout: BOOT_MS },
    async (context) => {
      const given = { ELASTICSEARCH_URL: ENGINES.elasticsearchUrl };
      const first = await bringUp(context, "local", given);
      await lengthenAppendOnlyFile(first);
      expect(await appendOnlyFileMiB(first)).toBeGreaterThan(69);
      await first.stop();

      const second = await bringUp(context, "local", given);
      await expect.poll(() => appendOnlyFileMiB(second), { timeout: 30_000 }).toBeLessThan(2);
      await second.stop();
    },
  );

  test(
    "are only those that no address is given for, and report when one ends unasked",
    { timeout: BOOT_MS },
    async (context) => {
      const elasticsearchUrl = ENGINES.elasticsearchUrl;
      const engines = await bringUp(context, "local", { ELASTICSEARCH_URL: elasticsearchUrl });
      expect(engines).toMatchObject({ elasticsearchUrl, origin: "local" });
      const { processes } = holder();
      expect(processes).toHaveLength(1);
      process.kill(processes[0]!.pid, "SIGKILL");
      expect(await engines.failed).toMatch(/^Redis ended unexpectedly \(by SIGKILL\)/);
      await engines.stop();
    },
  );
});

describe("Docker containers", () => {
  afterEach(async () => {
    const volumes = ["elasticsearch", "redis"].map((name) => `tranche-${pathHash(home)}_${name}`);
    await runCommand("docker", ["volume", "rm", "--force", ...volumes], { timeoutMs: 30_000 });
  });

  test(
    "keep their data from one start to the next, and are removed on request and after a kill -9 of their parent",
    { timeout: BOOT_MS },
    async (context) => {
      const first = await bringUp(context, "docker");
      await write(first, "still here");
      await first.stop();
      await expect(fetch(`${first.elasticsearchUrl}/_cluster/health`)).rejects.toThrow();

      const { parent, engines } = await bringUpElsewhere(context, "docker");
      expect(await read(engines)).toEqual(["still here", "still here"]);
      const { reaper } = holder();
      await killed(parent);
      await untilGone([reaper], 60_000);
      await expect(fetch(`${engines.elasticsearchUrl}/_cluster/health`)).rejects.toThrow();
    },
  );
});

describe("given addresses", () => {
  test("that do not answer are a clear failure", async () => {
    const [port] = await freePorts(1);
    const attempt = (given: NodeJS.ProcessEnv): Promise<Engines> =>
      findOrStartEngines({
        home,
        env: { ...env, ...given },
        log: (line) => log.push(line),
        purpose: "start",
        givenLimitMs: 500,
      });
    await expect(attempt({ ELASTICSEARCH_URL: `http://user:secret@127.0.0.1:${port}` })).rejects.toThrow(
      /^Elasticsearch at http:\/\/127\.0\.0\.1:\d+\/ has not answered for .* s \(.*ECONNREFUSED.*ELASTICSEARCH_URL/,
    );
    await expect(attempt({ REDIS_URL: `redis://127.0.0.1:${port}` })).rejects.toThrow(
      /^Redis at redis:.*ECONNREFUSED.*REDIS_URL/,
    );
    expect(log.join("\n")).not.toContain("secret");
  });

  test("that are malformed are named", async () => {
    const attempt = findOrStartEngines({
      home,
      env: { ...env, REDIS_URL: "localhost" },
      log: () => {},
      purpose: "start",
    });
    await expect(attempt).rejects.toThrow("REDIS_URL is not an address. Expected one such as redis://127.0.0.1:6379.");
  });
});

test("a machine that lacks everything gets one text, with all that was looked for", async () => {
  rmSync(join(home, "downloads"));
  const bare = { PATH: join(home, "nothing") };
  const attempt = findOrStartEngines({ home, env: bare, log: (line) => log.push(line), purpose: "start" });
  const text = await attempt.then(String, (error: Error) => error.message);
  expect(text).toMatch(/^Elasticsearch and Redis are needed, and nothing here leads to them\./);
  expect(text).toContain("Addresses: ELASTICSEARCH_URL and REDIS_URL not set");
  expect(text).toContain("Docker: no Docker engine answers: the docker command is not on PATH");
  expect(text).toContain("Local processes: Maven (mvn), to fetch Elasticsearch and Redis with: not on PATH");
  expect(text.match(/^ {2}\d\. /gm)).toHaveLength(3);
});
