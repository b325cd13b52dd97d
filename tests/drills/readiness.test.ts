import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { describe, expect, test } from "vitest";
import { startCuttingDoor } from "../support/cut-answers.ts";
import { withoutNamespace } from "../support/metrics.ts";
import { statusOfBytes } from "../support/raw-request.ts";
import { freePort } from "../support/service.ts";
import { withService } from "../support/with-service.ts";

const { engines, service, client, names } = withService();

const readyOf = async () => (await fetch(service.base.replace("/api/v1", "/health/ready"))).status;
const headersOf = (key: string) => ({ Authorization: `Bearer ${key}`, Connection: "close" });

describe("without a grace", () => {
  test("an API without a live index is not ready, until the index is there again", async () => {
    const api = await service.startApi({ TRANCHE_READY_GRACE_SECONDS: "0" });
    expect(await readyOf()).toBe(200);
    const alias = names.role("companies", "live");
    const [index] = Object.keys(await client.indices.getAlias({ name: alias }));
    await client.indices.deleteAlias({ index: index!, name: alias });
    await expect.poll(readyOf, { timeout: 10_000 }).toBe(503);
    await client.indices.putAlias({ index: index!, name: alias, is_write_index: true });
    await expect.poll(readyOf, { timeout: 10_000 }).toBe(200);
    await client.indices.close({ index: index! });
    await expect.poll(readyOf, { timeout: 10_000 }).toBe(503);
    await client.indices.open({ index: index! });
    await expect.poll(readyOf, { timeout: 10_000 }).toBe(200);
    api.kill("SIGTERM");
    await once(api, "exit");
  });
});

test("an outage of Elasticsearch that is shorter than the grace leaves the API ready", async () => {
  const door = await startCuttingDoor(engines.elasticsearchUrl, 0, 0);
  const key = await service.key();
  const api = await service.startApi({
    ELASTICSEARCH_URL: door.url,
    TRANCHE_READY_GRACE_SECONDS: "5",
    TRANCHE_CACHE: "off",
  });
  expect((await fetch(`${service.base}/funding`, { headers: headersOf(key) })).status).toBe(200);
  door.close();
  const refused = await fetch(`${service.base}/funding`, { headers: headersOf(key) });
  expect([refused.status, refused.headers.has("Retry-After")]).toEqual([503, true]);
  expect(await readyOf()).toBe(200);
  await expect.poll(readyOf, { timeout: 30_000, interval: 500 }).toBe(503);
  api.kill("SIGTERM");
  await once(api, "exit");
});

test.each(["1", "2"])("asked to end, %s processes say so before they close", async (processes) => {
  const key = await service.key();
  const api = await service.startApi({ TRANCHE_API_PROCESSES: processes, TRANCHE_SHUTDOWN_DELAY_SECONDS: "4" });
  expect(await readyOf()).toBe(200);
  const ended = once(api, "exit");
  api.kill("SIGTERM");
  await expect.poll(readyOf, { timeout: 3000, interval: 20 }).toBe(503);
  // Every process, whichever takes the connection.
  expect(new Set(await Promise.all(Array.from({ length: 8 }, readyOf)))).toEqual(new Set([503]));
  expect((await fetch(`${service.base}/funding`, { headers: headersOf(key) })).status).toBe(200);
  expect(await ended).toEqual([0, null]);
});

describe("the dashboard", () => {
  const health = (path: string) => fetch(service.dashboard.replace("/dashboard", `/health/${path}`));
  const statusOf = async () => (await health("ready")).status;

  test("is ready while its engines answer, and shows strangers no addresses when they don't", async () => {
    const door = await startCuttingDoor(engines.elasticsearchUrl, 0, 0);
    const dashboard = await service.startDashboard({ ELASTICSEARCH_URL: door.url, TRANCHE_READY_GRACE_SECONDS: "0" });
    expect(await statusOf()).toBe(200);
    door.close();
    await expect.poll(statusOf, { timeout: 30_000, interval: 500 }).toBe(503);
    expect(await (await health("ready")).json()).toEqual({ status: "not ready" });
    expect((await health("live")).status).toBe(200);
    dashboard.kill("SIGTERM");
    await once(dashboard, "exit");
  });

  test("counts what it answers, on a port of its own that knows its names", async () => {
    const port = await freePort();
    const dashboard = await service.startDashboard({ TRANCHE_DASHBOARD_METRICS_PORT: String(port) });
    await fetch(service.dashboard);
    await fetch(`${service.dashboard}/api/sessions/some-id`, { method: "DELETE" });
    const metrics = async (host: string) => {
      const asked = request({ port, host: "127.0.0.1", path: "/metrics", headers: { Host: host } }).end();
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      return { status: answer.statusCode, text: Buffer.concat(await answer.toArray()).toString() };
    };
    const { status, text } = await metrics(`localhost:${port}`);
    expect(status).toBe(200);
    expect(withoutNamespace(text)).toMatch(
      /^tranche_dashboard_requests_total\{route="page",method="GET",status="200"\} \d+$/m,
    );
    expect(text).not.toContain("some-id");
    expect((await metrics("evil.example")).status).toBe(403);
    expect((await fetch(service.dashboard.replace("/dashboard", "/metrics"))).status).toBe(404);
    dashboard.kill("SIGTERM");
    await once(dashboard, "exit");
  });

  test("refuses what is not well-formed, and answers those who accept no encoding", async () => {
    const dashboard = await service.startDashboard();
    const port = Number(new URL(service.dashboard).port);
    const host = `Host: 127.0.0.1:${port}\r\n`;
    for (const [bytes, expected] of [
      [`GET /dashboard HTTP/1.1\r\n${host}Host: evil.example\r\nConnection: close\r\n\r\n`, 400],
      ["GET /dashboard HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
      ["GET /dashboard\r\n\r\n", 400],
      [`GET /dashboard HTTP/1.1\r\n${host}A: ${"x".repeat(20_000)}\r\nConnection: close\r\n\r\n`, 431],
      [`GET /dashboard HTTP/1.1\r\n${host}Accept-Encoding: identity;q=0\r\nConnection: close\r\n\r\n`, 200],
    ] as const)
      expect([bytes.slice(0, 80), await statusOfBytes(bytes, port)]).toEqual([bytes.slice(0, 80), expected]);
    dashboard.kill("SIGTERM");
    await once(dashboard, "exit");
  });

  test("asked to end, says so before it closes", async () => {
    const dashboard = await service.startDashboard({ TRANCHE_SHUTDOWN_DELAY_SECONDS: "4" });
    expect(await statusOf()).toBe(200);
    const ended = once(dashboard, "exit");
    dashboard.kill("SIGTERM");
    await expect.poll(statusOf, { timeout: 3000, interval: 20 }).toBe(503);
    expect((await fetch(service.dashboard)).status).toBe(200);
    expect(await ended).toEqual([0, null]);
  });
});
