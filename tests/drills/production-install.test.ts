import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPages } from "../../web/building.ts";
import { freePort } from "../support/service.ts";
import { withService } from "../support/with-service.ts";

const run = promisify(execFile);
const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
type Lock = { packages: Record<string, { dev?: true }> };

const INSTALL_MS = 240_000;
const START_MS = 60_000;

const { service } = withService();
/** What the image has: the programs and what they need to run, without dev dependencies. */
const folder = mkdtempSync(join(tmpdir(), "tranche-production-"));
const children: ChildProcess[] = [];

beforeAll(async () => {
  await buildPages(() => {});
  const manifests = ["package.json", "package-lock.json", ".npmrc", "web/package.json"];
  for (const path of [...manifests, "apps", "libs", "infra/image", "web/dist"]) {
    cpSync(join(PROJECT, path), join(folder, path), {
      recursive: true,
      filter: (source) => !/node_modules|\.test\.ts$/.test(source.slice(PROJECT.length)),
    });
  }
  await run("npm", ["ci", "--omit=dev", "--prefer-offline"], { cwd: folder, timeout: INSTALL_MS });
}, INSTALL_MS);

afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue;
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  rmSync(folder, { recursive: true });
});

/** Starts a program through the image's entry point and waits for its log to say `ready`. */
async function start(app: string, ready: string, settings: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(join(folder, "infra/image/run"), [app], {
    env: environment(settings),
    stdio: ["ignore", "pipe", "pipe"],
  });
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

const environment = (settings: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...service.env,
  ...settings,
  PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
});

test(
  "an install without dev dependencies has none of them, and starts every program",
  { timeout: 240_000 },
  async () => {
    const lock = JSON.parse(readFileSync(join(PROJECT, "package-lock.json"), "utf8")) as Lock;
    const onlyForDevelopment = Object.keys(lock.packages).filter((path) => lock.packages[path]!.dev);
    expect(onlyForDevelopment).toEqual(expect.arrayContaining(["node_modules/node", "node_modules/vite"]));
    expect(onlyForDevelopment.filter((path) => existsSync(join(folder, path)))).toEqual([]);

    const [port, operators, pages, indexer] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const settings = {
      PORT: String(port),
      TRANCHE_OPERATOR_PORT: String(operators),
      TRANCHE_DASHBOARD_PORT: String(pages),
      TRANCHE_INDEXER_PORT: String(indexer),
      TRANCHE_API_URL: `http://127.0.0.1:${port}`,
    };
    await start("indexer", "takes jobs", settings);
    const api = await start("api", "the API listens", settings);
    await start("dashboard", "the dashboard listens", settings);
    const entry = join(folder, "infra/image/run");
    const made = await run(entry, ["ops", "accounts", "create", "--name", "N", "--plan", "scale", "--json"], {
      env: environment(),
    });
    const { key } = JSON.parse(made.stdout) as { key: string };

    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/funding`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: [] });
    expect(await (await fetch(`http://127.0.0.1:${pages}/dashboard`)).text()).toContain("<script");
    expect((await fetch(`http://127.0.0.1:${port}/docs/`)).status).toBe(200);
    for (const app of ["api", "indexer", "dashboard"])
      await run(entry, ["health", app], { env: environment(settings) });

    api.kill("SIGTERM");
    expect(await once(api, "exit"), "the entry point hands the signal on, and the API ends by itself").toEqual([
      0,
      null,
    ]);
    await expect(run(entry, ["health", "api"], { env: environment(settings) })).rejects.toThrow("ECONNREFUSED");
    await expect(run(entry, ["apis"], { env: environment() })).rejects.toThrow("Expected api, indexer, dashboard, ops");
  },
);
