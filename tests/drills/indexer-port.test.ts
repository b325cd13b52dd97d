import { once } from "node:events";
import { request } from "node:http";
import { BUILD } from "@tranche/shared/process/build";
import { expect, test } from "vitest";
import { startProxy } from "./proxy.ts";
import { createRandom } from "./random.ts";
import { startCuttingDoor } from "../support/cut-answers.ts";
import { withoutNamespace } from "../support/metrics.ts";
import { freePort } from "../support/service.ts";
import { withService } from "../support/with-service.ts";
import { company } from "../support/writes.ts";

const { service, engines, queues } = withService();

/** Status and body of a request to a port, with whatever Host header. */
function ask(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("end", () => resolve({ status: answer.statusCode!, text }));
    });
    asked.on("error", reject);
    asked.end();
  });
}

test("an indexer is live and ready, and its metrics count what it did", async () => {
  const port = await freePort();
  const indexer = await service.startIndexer({ TRANCHE_INDEXER_PORT: String(port) });
  await queues.send([company(1, "co-1"), company(1, "co-2")]);
  await queues.settled();

  expect(await ask(port, "/health/live")).toMatchObject({ status: 200, text: '{"status":"live"}' });
  expect(await ask(port, "/health/ready")).toMatchObject({
    status: 200,
    text: `{"status":"ready","version":"${BUILD.version}"}`,
  });
  const { status, text: exported } = await ask(port, "/metrics");
  expect(status).toBe(200);
  const text = withoutNamespace(exported);
  const valueOf = (series: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${series} `))
        ?.split(" ")[1],
    );
  expect(valueOf('tranche_jobs_total{queue="ingest",outcome="completed"}')).toBeGreaterThanOrEqual(1);
  expect(valueOf('tranche_queue_jobs{queue="ingest",state="waiting"}')).toBe(0);
  expect(valueOf("tranche_oldest_job_seconds")).toBe(0);
  expect(valueOf("tranche_searchable_seconds_count")).toBeGreaterThanOrEqual(1);
  expect(valueOf("tranche_indexers")).toBe(1);
  expect(valueOf('tranche_dead_letters{kind="document"}')).toBe(0);
  expect(valueOf("tranche_rebuild_running")).toBe(0);
  expect(valueOf('tranche_rebuild_state{state="failed"}')).toBe(0);
  expect(valueOf('tranche_generation{model="companies"}')).toBeGreaterThan(0);
  for (const engine of ["elasticsearch", "redis"]) {
    expect(valueOf(`tranche_engine_up{engine="${engine}"}`)).toBe(1);
    expect(valueOf(`tranche_engine_seconds{engine="${engine}"}`)).toBeGreaterThan(0);
  }

  expect((await ask(port, "/metrics", { Host: "evil.example" })).status).toBe(403);
  expect((await ask(port, "/metrics", { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  expect((await ask(port, "/")).status).toBe(404);
  indexer.kill("SIGTERM");
});

test("without Elasticsearch it is live and not ready, and says so in its metrics", async () => {
  const door = await startCuttingDoor(engines.elasticsearchUrl, 0, 0);
  const port = await freePort();
  const indexer = await service.startIndexer({ TRANCHE_INDEXER_PORT: String(port), ELASTICSEARCH_URL: door.url });
  door.close();
  expect(await ask(port, "/health/ready")).toMatchObject({
    status: 503,
    text: `{"status":"not ready","version":"${BUILD.version}","away":["elasticsearch"]}`,
  });
  expect((await ask(port, "/health/live")).status).toBe(200);
  const text = withoutNamespace((await ask(port, "/metrics")).text);
  expect(text).toContain('tranche_engine_up{engine="elasticsearch"} 0');
  expect(text).toContain('tranche_engine_up{engine="redis"} 1');
  expect(text).not.toContain('tranche_engine_seconds{engine="elasticsearch"}');
  // Not 0, which would be a figure.
  expect(text).not.toMatch(/^tranche_rebuild_running /m);
  expect(text).toMatch(/^tranche_oldest_job_seconds 0$/m);
  // Asked to end in order, it would wait for Elasticsearch.
  indexer.kill("SIGKILL");
});

test("an indexer whose job hears nothing from an engine that answers others is not live, and ends", async () => {
  const proxy = await startProxy(engines.elasticsearchUrl, createRandom(1));
  const port = await freePort();
  const indexer = await service.startIndexer({
    TRANCHE_INDEXER_PORT: String(port),
    ELASTICSEARCH_URL: proxy.url,
    TRANCHE_STUCK_AFTER_SECONDS: "10",
  });
  const ended = once(indexer, "exit");
  const { promise: never, resolve } = Promise.withResolvers<void>();
  const hangs = proxy.catchNext(
    ({ path }) => (path.split("?")[0]!.endsWith("/_bulk") ? "before" : undefined),
    () => never,
  );
  await queues.send([company(2, "co-1")]);
  await expect
    .poll(async () => (await ask(port, "/health/live")).text, { timeout: 40_000, interval: 100 })
    .toBe('{"status":"stuck","reason":"a job in queue ingest makes no progress"}');
  expect((await ask(port, "/health/ready")).status).toBe(200);
  expect(await ended).toEqual([1, null]);
  resolve();
  await hangs;
  await proxy.close();
  // Its job goes to the next one.
  const next = await service.startIndexer();
  await queues.settled();
  next.kill("SIGTERM");
});
