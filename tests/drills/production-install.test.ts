import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { buildPages } from "../../web/building.ts";
import { freePorts } from "../../tools/local-engines/ports.ts";
import { withService } from "../support/with-service.ts";

const run = promisify(execFile);
const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
type Lock = { packages: Record<string, { dev?: true }> };

const INSTALL_MS = 240_000;
const START_MS = 60_000;

const { service } = withService();
/** What the image has: the programs and what they need to run, without dev dependencies. */
const folder = mkdtempSync(join(tmpdir(), "tranche-production-"));
const entry = join(folder, "infra/image/run");
let children: ChildProcess[] = [];

beforeAll(async () => {
  await buildPages(() => {});
  const manifests = ["package.json", "package-lock.json", ".npmrc", "web/package.json"];
  for (const path of [...manifests, "apps", "libs", "infra/image", "infra/node-version.cjs", "web/dist"]) {
    cpSync(join(PROJECT, path), join(folder, path), {
      recursive: true,
      filter: (source) => !/node_modules|\.test\.ts$/.test(source.slice(PROJECT.length)),
    });
  }
  await run("npm", ["ci", "--omit=dev", "--prefer-offline"], { cwd: folder, timeout: INSTALL_MS });
}, INSTALL_MS);

afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue;
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  children = [];
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The folder of Node's executable of another version, which the package `node` has. */
async function nodeFolder(version: string): Promise<string> {
  const prefix = join(folder, "nodes", version);
  await run("npm", ["install", "--no-save", "--prefix", prefix, `node@${version}`], { timeout: INSTALL_MS });
  return join(prefix, "node_modules/node/bin");
}

/** Starts a program through the image's entry point and waits for its log to say `ready`. */
async function start(app: string, ready: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(entry, [app], { env, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let printed = "";
  const isReady = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes(ready)) isReady.resolve();
    });
  }
  child.on("exit", (code) => isReady.reject(new Error(`${app} ended with ${code}:\n${printed}`)));
  const late = setTimeout(() => isReady.reject(new Error(`${app} does not start:\n${printed}`)), START_MS);
  await isReady.promise.finally(() => clearTimeout(late));
  return child;
}

const environment = (bin: string, settings: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...service.env,
  ...settings,
  PATH: [bin, process.env["PATH"]].join(delimiter),
});

test("an install without dev dependencies has none of them", () => {
  const lock = JSON.parse(readFileSync(join(PROJECT, "package-lock.json"), "utf8")) as Lock;
  const onlyForDevelopment = Object.keys(lock.packages).filter((path) => lock.packages[path]!.dev);
  expect(onlyForDevelopment).toEqual(expect.arrayContaining(["node_modules/node", "node_modules/vite"]));
  expect(onlyForDevelopment.filter((path) => existsSync(join(folder, path)))).toEqual([]);
});

/** The first version that runs TypeScript, the one that `npm ci` brings along, and the latest one. */
test.for(["22.18.0", process.versions.node, "26"])(
  "Node %s starts every program",
  { timeout: INSTALL_MS + 240_000 },
  async (version) => {
    const bin = version === process.versions.node ? dirname(process.execPath) : await nodeFolder(version);
    const [port, operators, pages, indexer] = (await freePorts(4)) as [number, number, number, number];
    const env = environment(bin, {
      PORT: String(port),
      TRANCHE_OPERATOR_PORT: String(operators),
      TRANCHE_DASHBOARD_PORT: String(pages),
      TRANCHE_INDEXER_PORT: String(indexer),
      TRANCHE_API_URL: `http://127.0.0.1:${port}`,
    });
    await start("indexer", "takes jobs", env);
    const api = await start("api", "the API listens", env);
    await start("operators", "the operators' port listens", env);
    await start("dashboard", "the dashboard listens", env);
    const made = await run(entry, ["ops", "accounts", "create", "--name", "N", "--plan", "scale", "--json"], { env });
    const { key } = JSON.parse(made.stdout) as { key: string };

    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/funding`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: [] });
    expect(await (await fetch(`http://127.0.0.1:${pages}/dashboard`)).text()).toContain("<script");
    expect((await fetch(`http://127.0.0.1:${port}/docs/`)).status).toBe(200);
    // Without a token the pages say so.
    expect((await fetch(`http://127.0.0.1:${operators}/operators/`)).status).toBe(403);
    for (const app of ["api", "indexer", "operators", "dashboard"]) await run(entry, ["health", app], { env });

    api.kill("SIGTERM");
    expect(await once(api, "exit"), "the entry point hands the signal on, and the API ends by itself").toEqual([
      0,
      null,
    ]);
    await expect(run(entry, ["health", "api"], { env })).rejects.toThrow("ECONNREFUSED");
    await expect(run(entry, ["apis"], { env })).rejects.toThrow("Expected api, indexer, operators, dashboard, ops");
  },
);

test("an older Node gets one sentence instead of a program", { timeout: INSTALL_MS }, async () => {
  const env = environment(await nodeFolder("20"));
  const calls = await Promise.allSettled([
    run(entry, ["api"], { env }),
    run(entry, ["ops", "status"], { env }),
    run("npm", ["run", "indexer"], { env, cwd: folder }),
  ]);
  for (const call of calls) {
    expect(call.status).toBe("rejected");
    const { stderr } = (call as PromiseRejectedResult).reason as { stderr: string };
    expect(stderr).toMatch(/^Tranche needs Node 22\.18 or later, this is 20\.\d+\.$/m);
    expect(stderr).not.toContain("    at ");
  }
});
