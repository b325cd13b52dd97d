import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spawnOps } from "./support/ops.ts";
import { type ReceivedSpan, startTraceReceiver } from "./support/trace-receiver.ts";
import { withService } from "./support/with-service.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";

const { service } = withService();
const receiver = await startTraceReceiver({ authorization: "Bearer receiver" });
afterAll(() => receiver.close());
/** Spans are sent soon instead of after 5 s. */
const headersFile = join(mkdtempSync(join(tmpdir(), "tranche-headers-")), "headers");
writeFileSync(headersFile, "authorization=Bearer%20receiver\n");
const TRACED = {
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
  OTEL_EXPORTER_OTLP_HEADERS_FILE: headersFile,
  OTEL_BSP_SCHEDULE_DELAY: "100",
};

beforeAll(async () => {
  await Promise.all([
    service.startIndexer(TRACED),
    service.startApi(TRACED),
    service.startOperators({ ...TRACED, TRANCHE_OPERATOR_TOKEN: "token" }),
  ]);
});

const ops = (args: string[], env: NodeJS.ProcessEnv, input?: string) =>
  spawnOps(args, { environment: { ...service.env, ...env }, ...(input !== undefined && { input }) });

/** The names of the spans from `root` down to one. A span arrives when it has ended, so often after those below it. */
async function pathOf(span: ReceivedSpan, root: ReceivedSpan): Promise<string[]> {
  const name = `${span.service}: ${span.name}`;
  if (span.id === root.id) return [name];
  return [...(await pathOf(await receiver.span(({ id }) => id === span.parent), root)), name];
}

test("a record from `ops ingest` to searchable is one trace over both processes", async () => {
  const record = { type: "company", version: 1, id: "co-traced", name: "Traced", country: "US" };
  const { code, stderr } = await ops(["ingest", "-", "--wait"], TRACED, `${JSON.stringify(record)}\n`);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const root = await receiver.span(({ name }) => name === "ops ingest");
  expect(root).toMatchObject({ service: "tranche-ops", parent: "" });
  const write = await receiver.span(
    ({ service: from, name, trace }) => from === "tranche-indexer" && name === "bulk" && trace === root.trace,
  );
  expect(await pathOf(write, root)).toEqual([
    "tranche-ops: ops ingest",
    "tranche-ops: add ingest.records",
    "tranche-indexer: process ingest",
    "tranche-indexer: bulk",
  ]);
});

test("a record of an upload to searchable is one trace as well", async () => {
  const answer = await fetch(`${service.operator}/ingest?wait=true`, {
    method: "POST",
    headers: { authorization: "Bearer token", "content-type": "application/x-ndjson" },
    body: JSON.stringify({ type: "company", version: 1, id: "co-uploaded", name: "Uploaded", country: "US" }),
  });
  expect([answer.status, await answer.text()]).toMatchObject([200, expect.anything()]);
  const root = await receiver.span(({ name }) => name === "POST /ingest");
  expect(root).toMatchObject({ service: "tranche-operators", parent: "", attributes: { "http.route": "/ingest" } });
  const write = await receiver.span(
    ({ service: from, name, trace }) => from === "tranche-indexer" && name === "bulk" && trace === root.trace,
  );
  expect(await pathOf(write, root)).toEqual([
    "tranche-operators: POST /ingest",
    "tranche-operators: add ingest.records",
    "tranche-indexer: process ingest",
    "tranche-indexer: bulk",
  ]);
});

describe("a request", () => {
  const CALLER = { trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331" };
  const ask = async (path: string, traceparent: string) => {
    const headers = { authorization: `Bearer ${await service.key()}`, traceparent };
    const answer = await fetchUnlessBusy(`${service.base}${path}`, { headers });
    expect(answer.status).toBe(200);
    await answer.text();
  };

  test("continues the caller's trace through Redis and Elasticsearch, and says nothing of the key", async () => {
    // The caller's own flag says that it is not sampled.
    await ask("/companies?limit=1", `00-${CALLER.trace}-${CALLER.span}-00`);
    const request = await receiver.span(({ trace, parent }) => trace === CALLER.trace && parent === CALLER.span);
    expect(request).toMatchObject({ service: "tranche-api", name: "GET /api/v1/companies" });
    expect(request.attributes).toMatchObject({
      "http.route": "/api/v1/companies",
      "url.path": "/api/v1/companies",
      "url.query": "limit=1",
      "http.response.status_code": "200",
    });
    const below = await Promise.all(
      ["search", "evalsha"].map((name) => receiver.span((span) => span.trace === CALLER.trace && span.name === name)),
    );
    for (const span of below) {
      expect(await pathOf(span, request)).toEqual(["tranche-api: GET /api/v1/companies", expect.anything()]);
    }
    expect(JSON.stringify(receiver.spans)).not.toContain("trn_");
  });

  test("with a `traceparent` that is none begins a trace of its own", async () => {
    await ask("/companies?limit=2", "00-zz-1");
    const request = await receiver.span(({ attributes }) => attributes["url.query"] === "limit=2");
    expect(request.parent).toBe("");
  });
});

test("the work of a process on its own account is not traced", () => {
  const roots = receiver.spans.filter(({ parent }) => parent === "").map(({ name }) => name);
  expect(new Set(roots)).toEqual(new Set(["ops ingest", "POST /ingest", "GET /api/v1/companies"]));
});

/** At once, because they wait most of their time. */
describe.concurrent("a receiver that hangs delays", () => {
  test("neither a command for long nor what it does", async () => {
    const hanging = await startTraceReceiver({ hangs: true });
    try {
      const status = (env: NodeJS.ProcessEnv) => {
        const started = performance.now();
        return ops(["status"], env).then(({ code, stdout }) => ({ code, stdout, ms: performance.now() - started }));
      };
      const [without, hung] = [await status({}), await status({ OTEL_EXPORTER_OTLP_ENDPOINT: hanging.endpoint })];
      expect(hung.code).toBe(without.code);
      expect(hung.stdout).toContain("Elasticsearch");
      // Two seconds for the spans that are left; the rest is for a busy machine.
      expect(hung.ms - without.ms).toBeLessThan(6000);
    } finally {
      hanging.close();
    }
  });

  test("neither the requests of an API nor its end", async () => {
    const hanging = await startTraceReceiver({ hangs: true });
    try {
      const api = await service.startApi({
        OTEL_EXPORTER_OTLP_ENDPOINT: hanging.endpoint,
        OTEL_BSP_SCHEDULE_DELAY: "100",
      });
      const headers = { authorization: `Bearer ${await service.key()}` };
      const started = performance.now();
      for (let page = 1; page <= 10; page++) {
        const answer = await fetchUnlessBusy(`${service.base}/companies?limit=${page}`, { headers });
        expect(answer.status).toBe(200);
        await answer.text();
      }
      // A request that waited for a batch would take two seconds.
      expect(performance.now() - started).toBeLessThan(10_000);
      api.kill("SIGTERM");
      expect(await once(api, "exit")).toEqual([0, null]);
    } finally {
      hanging.close();
    }
  });
});
