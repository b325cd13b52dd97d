import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { NODE_FLAGS } from "@tranche/shared/process/v8-flags";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startRedisCluster } from "./redis-cluster-servers.ts";
import { freePort } from "../support/service.ts";
import { withService } from "../support/with-service.ts";

let printed = "";
const cluster = await startRedisCluster(() => {});
const { service } = withService({
  env: cluster ? { REDIS_URL: cluster.url } : {},
  onOutput: (text) => (printed += text),
});
afterAll(() => cluster?.close());

const WAITING = "waiting for Redis at redis-cluster://";

// Engines in containers have no servers of Redis that could be killed one by one.
describe.skipIf(!cluster)("while no master of a Redis Cluster answers", () => {
  beforeEach(() => void (printed = ""));

  test.for(["1", "2"])("an API that starts with %s processes waits for it, and ends on request", async (processes) => {
    await cluster!.killMasters();
    const ports = { PORT: String(await freePort()) };
    const child: ChildProcess = spawn(process.execPath, [...NODE_FLAGS, "apps/api/main.ts"], {
      env: { ...service.env, ...ports, TRANCHE_API_PROCESSES: processes },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout!.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    await expect.poll(() => printed, { timeout: 30_000 }).toContain(WAITING);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    await cluster!.startMasters();
  });

  test("an API that starts waits for it, and continues when it is back", async () => {
    await cluster!.killMasters();
    const started = service.startApi();
    await expect.poll(() => printed.split(WAITING).length, { timeout: 30_000 }).toBeGreaterThan(2);
    await cluster!.startMasters();
    await started;
    expect(printed).not.toContain("MaxListenersExceededWarning");
    expect(await ask(await service.key())).toBe(200);
  });

  test("an API that runs answers known keys, and uses it again when it is back", async () => {
    const key = await service.key();
    expect(await ask(key)).toBe(200);
    await cluster!.killMasters();
    for (let n = 0; n < 5; n++) expect(await ask(key)).toBe(200);
    expect(printed).toContain("known keys are limited by this process alone");
    await cluster!.startMasters();
    await expect.poll(() => printed, { timeout: 30_000 }).toContain("Redis is back");
    expect(await ask(key)).toBe(200);
  });
});

async function ask(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${service.base}/funding?limit=1`, { headers })).status;
}
