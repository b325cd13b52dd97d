import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "@tranche/shared/process/home";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ENGINES } from "../support/engines.ts";
import { projectFolder } from "../../tools/local-engines/data-folder.ts";

/** `npm start` on the engines of this run, under a namespace of its own. */
type Start = { process: ChildProcess; printed: () => string; ended: Promise<number | null> };

let home: string;
let env: NodeJS.ProcessEnv;
const starts: Start[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tranche-start-"));
  env = {
    ...process.env,
    ELASTICSEARCH_URL: ENGINES.elasticsearchUrl,
    REDIS_URL: ENGINES.redisUrl,
    TRANCHE_NAMESPACE: `t${randomBytes(6).toString("hex")}`,
    TRANCHE_HOME: home,
    TRANCHE_NOW: undefined,
    HOST: "127.0.0.1",
    PORT: "0",
    TRANCHE_OPERATOR_PORT: "0",
    TRANCHE_DASHBOARD_PORT: "0",
  };
});
afterEach(async () => {
  for (const { process: each, ended } of starts.splice(0)) {
    each.kill("SIGTERM");
    await ended;
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
});

function start(...args: string[]): Start {
  const child = spawn(process.execPath, [join(projectFolder(), "infra/start/main.ts"), ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, "close").then(() => child.exitCode);
  const started = { process: child, printed: () => text, ended };
  starts.push(started);
  return started;
}

async function untilPrinted({ process: child, printed }: Start, words: string): Promise<void> {
  while (!printed().includes(words)) {
    if (child.exitCode !== null) throw new Error(`npm start ended with code ${child.exitCode}:\n${printed()}`);
    await sleep(100);
  }
}

const running = (): Running => JSON.parse(readFileSync(join(home, "running.json"), "utf8")) as Running;
const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

test("it starts empty, prints a request that works, keeps a second start out, and ends in order", async () => {
  const first = start("--no-sample");
  await untilPrinted(first, "Ctrl-C stops it");
  const [, key, url] = /curl -H "Authorization: Bearer (\S+)" "(\S+)"/.exec(first.printed())!;
  const response = await fetch(url!, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ data: [], pagination: { count: 0 } });
  expect(first.printed()).toMatch(/Clock +today's/);

  const { pid, apiUrl, operatorUrl, now } = running();
  expect({ pid, now }).toEqual({ pid: first.process.pid, now: null });
  expect(url).toContain(`${apiUrl}/api/v1/`);
  expect((await fetch(`${operatorUrl}/metrics`)).status).toBe(200);
  const [, token] = /token to sign in with: (\S+)/.exec(first.printed())!;
  const authorization = `Basic ${Buffer.from(`me:${token}`).toString("base64")}`;
  expect((await fetch(`${operatorUrl}/operators/`)).status).toBe(200);
  expect((await fetch(`${operatorUrl}/operators/api/queues`)).status).toBe(401);
  expect((await fetch(`${operatorUrl}/operators/api/queues`, { headers: { authorization } })).status).toBe(200);

  const second = start("--no-sample");
  expect(await second.ended).toBe(1);
  expect(second.printed()).toContain(`npm start already runs in ${home} (process ${first.process.pid})`);

  first.process.kill("SIGTERM");
  expect(await first.ended).toBe(0);
  expect(await answers(apiUrl!)).toBe(false);
  expect(existsSync(join(home, "running.json"))).toBe(false);

  const withSample = start();
  expect(await withSample.ended).toBe(1);
  expect(withSample.printed()).toContain(`${home} was started with --no-sample`);
});

test("a start keeps what people made: its key and token stay, and no other key is revoked", async () => {
  const first = start("--no-sample");
  await untilPrinted(first, "Ctrl-C stops it");
  const printed = (of: Start) => [/trn_\w+/.exec(of.printed())![0], /sign in with: (\S+)/.exec(of.printed())![1]];
  const shown = printed(first);
  const ops = (...args: string[]) =>
    execFileSync(process.execPath, [join(projectFolder(), "apps/ops/main.ts"), ...args, "--json"], {
      encoding: "utf8",
      env: { ...env, ELASTICSEARCH_URL: undefined, REDIS_URL: undefined },
    });
  const account = /^trn_(\w{8})_/.exec(shown[0]!)![1]!;
  const { key } = JSON.parse(ops("keys", "create", "--account", account, "--name", "mine")) as { key: string };
  // The account of somebody who called it like the demo's.
  const other = JSON.parse(ops("accounts", "create", "--name", "Demo", "--plan", "starter")) as { key: string };
  const { mode } = statSync(home);
  expect(mode & 0o066).toBe(0);
  for (const name of ["demo.key", "operator.token"]) expect(statSync(join(home, name)).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, "logs")).mode & 0o777).toBe(0o700);

  // Callers of the API do not notice that the dashboard ends, and it comes back.
  process.kill(descendant(first.process.pid!, "apps/dashboard/main.ts")!, "SIGKILL");
  await untilPrinted(first, "The dashboard ended unexpectedly");
  expect((await fetch(`${running().apiUrl}/health/ready`)).status).toBe(200);
  await expect.poll(() => answers(running().dashboardUrl!), { timeout: 60_000 }).toBe(true);

  first.process.kill("SIGTERM");
  expect(await first.ended).toBe(0);
  const second = start("--no-sample");
  await untilPrinted(second, "Ctrl-C stops it");
  expect(printed(second)).toEqual(shown);
  const status = async (bearer: string) =>
    (await fetch(`${running().apiUrl}/api/v1/usage`, { headers: { authorization: `Bearer ${bearer}` } })).status;
  expect(await Promise.all([shown[0]!, key, other.key].map(status))).toEqual([200, 200, 200]);
});

test("after a kill -9 nothing of it is left", async () => {
  const start1 = start("--no-sample");
  await untilPrinted(start1, "Ctrl-C stops it");
  const { apiUrl, operatorUrl } = running();
  start1.process.kill("SIGKILL");
  await start1.ended;
  // The reaper removes it when all else has ended.
  for (let waited = 0; existsSync(join(home, "start.lock")) && waited < 40_000; waited += 100) await sleep(100);
  expect(existsSync(join(home, "start.lock"))).toBe(false);
  expect([await answers(apiUrl!), await answers(operatorUrl!)]).toEqual([false, false]);
});

test("a sample that can't be loaded is reported, and everything else runs", { timeout: 180_000 }, async () => {
  const started = start();
  await untilPrinted(started, "loading the sample");
  let loading: number | undefined;
  while ((loading = descendant(started.process.pid!, "apps/ops/main.ts ingest")) === undefined) await sleep(20);
  process.kill(loading, "SIGKILL");
  await untilPrinted(started, "Ctrl-C stops it");
  expect(started.printed()).toContain("Warning: The sample could not be loaded completely (SIGKILL");
  expect((await fetch(`${running().apiUrl}/health/ready`)).status).toBe(200);
  started.process.kill("SIGTERM");
  expect(await started.ended).toBe(0);
});

/** A process under another one whose command line has these words. */
function descendant(ancestor: number, words: string): number | undefined {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  const all = lines.map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? []);
  const parents = new Map(all.map(([, pid, parent]) => [Number(pid), Number(parent)]));
  const isUnder = (pid: number | undefined): boolean => pid === ancestor || (!!pid && isUnder(parents.get(pid)));
  return all.map(([, pid, , args]) => (args?.includes(words) && isUnder(Number(pid)) ? Number(pid) : 0)).find(Boolean);
}

test("an operators' port that other machines can reach needs a token", async () => {
  env["TRANCHE_OPERATOR_HOST"] = "0.0.0.0";
  const open = start("--no-sample");
  expect(await open.ended).toBe(1);
  expect(open.printed()).toContain("TRANCHE_OPERATOR_TOKEN is not set");
});

test("a busy port and wrong usage are said at once", async () => {
  env["PORT"] = new URL(ENGINES.elasticsearchUrl).port;
  const busy = start("--no-sample");
  expect(await busy.ended).toBe(1);
  expect(busy.printed()).toContain(`Port ${env["PORT"]} is taken`);
  expect(await start("--no-such-option").ended).toBe(2);
});
