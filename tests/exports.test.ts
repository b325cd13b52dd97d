import type { IncomingMessage } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import { readPages } from "../apps/api/exports/pages.ts";
import { createPointsInTime } from "../apps/api/search/point-in-time.ts";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Catch, type EngineProxy, startProxy } from "./drills/proxy.ts";
import { createRandom } from "./drills/random.ts";
import { metricsOf } from "./support/metrics.ts";
import { openResponse } from "./support/open-response.ts";
import { plansFile } from "./support/plans-file.ts";
import { storeWorld } from "./support/store-world.ts";
import { withService } from "./support/with-service.ts";
import { makeWorld } from "./support/world.ts";
import { companyDocument, fundingDocument } from "./support/world-documents.ts";

/** Far more than the buffers of a connection hold, so that a reader that pauses stops the export. */
const SIZE = 25_000;
/** Requests that an export of all of them costs. */
const COST = SIZE / 1000;
const made = makeWorld(SIZE, 20_131_101);
const world = { rounds: made.rounds, companies: made.companies.slice(0, SIZE / 10) };
const listed = world.companies.filter((company) => company.listed);
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted(byCodePoint);

const limits = { max_limit: 50, burst: 100_000, quota: 1_000_000 };
const PLANS = {
  scale: { name: "Scale", ...limits },
  starter: { name: "Starter", ...limits, export: false },
  scant: { name: "Scant", ...limits, quota: COST + 20 },
};

const { engines, service, client, names } = withService({
  now: "2013-10-31T12:00:00Z",
  env: { TRANCHE_PLANS_FILE: plansFile(PLANS) },
});

let key: string;
let proxy: EngineProxy;
/** Two processes; the second reaches the search engine through a proxy that can break. */
let one: string;
let two: string;

beforeAll(async () => {
  await storeWorld(engines, service.namespace, world);
  proxy = await startProxy(engines.elasticsearchUrl, createRandom(1));
  await service.startApi();
  one = service.base;
  await service.startApi({ ELASTICSEARCH_URL: proxy.url });
  two = service.base;
  key = await service.key();
}, 240_000);
afterAll(() => proxy.close());

type Sent = { base?: string; key?: string; method?: string; headers?: Record<string, string> };

/** The response, still unread. As `unlessBusy`, for responses of node:http. */
async function open(path: string, sent: Sent = {}): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${sent.key ?? key}`, ...sent.headers };
  const ask = () => openResponse(`${sent.base ?? one}${path}`, { method: sent.method ?? "GET", headers });
  const response = await ask();
  if (response.statusCode !== 503) return response;
  response.destroy();
  await pause(1000 * Number(response.headers["retry-after"]));
  return ask();
}
async function call(path: string, sent?: Sent) {
  const response = await open(path, sent);
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}
async function errorOf(path: string, sent?: Sent) {
  const { status, body, headers } = await call(path, sent);
  const { error } = JSON.parse(body.toString()) as { error: { code: string; message: string } };
  return { status, headers, ...error };
}
/** A process that does not hear Redis for a moment says what it knows itself: poll. */
async function monthUsed(of = key): Promise<number> {
  const { body } = await call("/usage", { key: of });
  return (JSON.parse(body.toString()) as { data: { month: { used: number } } }).data.month.used;
}
/** A number once it has been the same for 1.5 seconds; fails if it grows for half a minute. */
async function untilSteady(read: () => Promise<number>): Promise<number> {
  for (let tries = 0, last = await read(); tries < 20; tries++) {
    await pause(1500);
    const now = await read();
    if (now === last) return now;
    last = now;
  }
  throw new Error("it still grows");
}
/** Points in time that are open on the read models of this namespace. */
async function openViews(): Promise<number> {
  const stats = await client.indices.stats({ index: `${service.namespace}-*`, metric: "search" });
  return stats._all.total!.search!.open_contexts!;
}
/** Exports that are being sent, by the metrics of the last process that was started. */
async function metric(name: string): Promise<number> {
  const metrics = await metricsOf(service.apiMetrics);
  return metrics
    .split("\n")
    .filter((line) => line.startsWith(name))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

describe("an export", () => {
  test("of rounds has every row of the list, letter for letter, by id", async () => {
    const { status, headers, body } = await call("/funding/export");
    expect([status, headers["content-type"]]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
    expect(headers["x-total-count"]).toBe(String(SIZE));
    expect(headers["cache-control"]).toBe("private, no-store");
    expect(headers.etag).toBeUndefined();
    const rows = new Map(world.rounds.map((round) => [round.id, fundingDocument(round).row]));
    expect(body.toString()).toBe(
      idsOf(world.rounds)
        .map((id) => `${rows.get(id)}\n`)
        .join(""),
    );
  });

  test("of companies has those with a live signal", async () => {
    const { headers, body } = await call("/signals/export");
    expect(headers["x-total-count"]).toBe(String(listed.length));
    const rows = new Map(listed.map((company) => [company.id, companyDocument(company).row]));
    expect(body.toString()).toBe(
      idsOf(listed)
        .map((id) => `${rows.get(id)}\n`)
        .join(""),
    );
  });

  test("has the filters and the warnings of its list, and no row is not an error", async () => {
    const wanted = world.rounds.filter(({ country, amount }) => country === "DE" && amount !== null && amount >= 1e6);
    const { headers, body } = await call("/funding/export?country=Germany&min_amount_usd=1000000");
    expect(headers["x-total-count"]).toBe(String(wanted.length));
    const lines = body.toString().split("\n").slice(0, -1);
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(idsOf(wanted));

    const none = await call("/funding/export?investors=nobody-of-this-name");
    expect([none.status, none.headers["x-total-count"], none.body.length]).toEqual([200, "0", 0]);
    expect(none.headers["x-warnings"]).toContain("nobody-of-this-name");
  });

  test("as CSV has one header row, the columns of the list, and a byte-order mark for Excel", async () => {
    const { headers, body } = await call("/signals/export?format=csv", { headers: { accept: "application/json" } });
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(headers["content-disposition"]).toBe('attachment; filename="signals-2013-10-31.csv"');
    const rows = parse(body, { columns: true, relax_column_count: false }) as Record<string, string>[];
    expect(rows.map((row) => row["company_id"])).toEqual(idsOf(listed));
    const list = await call("/signals?limit=1&sort=name_asc", { headers: { accept: "text/csv" } });
    const [first] = parse(list.body, { columns: true }) as Record<string, string>[];
    expect(rows.find((row) => row["company_id"] === first!["company_id"])).toEqual(first);

    const excel = await call("/funding/export?excel=true&country=BR");
    expect(excel.body.subarray(0, 6).toString()).toBe("\ufeffid,");
    expect(excel.body.indexOf("\ufeff", 3)).toBe(-1);
  });

  test("is compressed as its reader likes it", async () => {
    const plain = await call("/funding/export?country=FR");
    for (const [encoding, unpack] of [
      ["gzip", gunzipSync],
      ["br", brotliDecompressSync],
    ] as const) {
      const { headers, body } = await call("/funding/export?country=FR", { headers: { "accept-encoding": encoding } });
      expect(headers["content-encoding"]).toBe(encoding);
      expect(body.length).toBeLessThan(plain.body.length / 3);
      expect(unpack(body).equals(plain.body)).toBe(true);
    }
  });

  test("is from one point in time, whatever is written meanwhile", async () => {
    const response = await open("/funding/export");
    const index = names.role("funding", "live");
    const [gone, changed] = [world.rounds[0]!, world.rounds[1]!];
    const added = { ...world.rounds[2]!, id: "zzz-later" };
    const put = (document: { id: string; listed: boolean }) => client.index({ index, id: document.id, document });
    try {
      await client.delete({ index, id: gone.id });
      await put({ ...fundingDocument(changed), listed: false });
      await put(fundingDocument(added));
      await client.indices.refresh({ index });
      expect((await call("/funding/export", { method: "HEAD" })).headers["x-total-count"]).toBe(String(SIZE - 1));
      const lines = (await text(response)).split("\n").slice(0, -1);
      expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(idsOf(world.rounds));
    } finally {
      for (const round of [gone, changed]) await put(fundingDocument(round));
      await client.delete({ index, id: added.id });
      await client.indices.refresh({ index });
    }
  });

  test("leaves nothing open in the search engine", () => expect.poll(openViews).toBe(0));
});

describe("a request for an export is refused", () => {
  test.each([
    ["limit=10", "limit"],
    ["sort=amount_desc", "sort"],
    ["colour=red", "colour"],
    ["country=Atlantis", "country"],
    ["format=json", "format"],
    ["excel=yes", "excel"],
    ["excel=true&format=ndjson", "excel"],
    ["text=raw", "text"],
    ["text=raw&format=ndjson", "text"],
    ["text=plain&format=csv", "text"],
  ])("for its parameters: %s", async (query, parameter) => {
    const { body, status } = await call(`/funding/export?${query}`);
    const { error } = JSON.parse(body.toString()) as { error: { code: string; parameter: string } };
    expect([status, error.code, error.parameter]).toEqual([400, "invalid_parameter", parameter]);
  });

  test("where it may only be JSON", async () => {
    for (const accept of ["application/json", "text/html"]) {
      const refused = await errorOf("/funding/export", { headers: { accept } });
      expect([refused.status, refused.code]).toEqual([406, "not_acceptable"]);
      expect(refused.message).toContain("format=csv");
    }
    for (const accept of ["*/*", "application/json, */*;q=0.1", "application/x-ndjson"])
      expect((await call("/funding/export?country=BR", { headers: { accept } })).status).toBe(200);
  });

  test("on a plan without exports, at no cost", async () => {
    const starter = await service.key("starter");
    const refused = await errorOf("/funding/export", { key: starter });
    expect([refused.status, refused.code]).toEqual([403, "plan_forbidden"]);
    expect(refused.message).toContain("The plan Starter has no exports.");
    await expect.poll(() => monthUsed(starter)).toBe(0);
  });
});

describe("the quota", () => {
  test("pays one request for each 1,000 rows begun, and one for the headers alone", async () => {
    const paid = await service.key();
    const { headers } = await call("/funding/export", { key: paid });
    expect(headers.ratelimit).toContain(`"month";r=${1_000_000 - COST}`);
    await expect.poll(() => monthUsed(paid)).toBe(COST);
    const head = await call("/funding/export", { key: paid, method: "HEAD" });
    expect([head.headers["x-total-count"], head.body.length]).toEqual([String(SIZE), 0]);
    await expect.poll(() => monthUsed(paid)).toBe(COST + 1);
    await call("/funding/export?investors=nobody-of-this-name", { key: paid });
    await expect.poll(() => monthUsed(paid)).toBe(COST + 2);
  });

  test("that has too few left refuses the export as a whole, and says what it costs", async () => {
    const scant = await service.key("scant");
    expect((await call("/funding/export", { key: scant })).status).toBe(200);
    const refused = await errorOf("/funding/export", { key: scant });
    expect([refused.status, refused.code]).toEqual([429, "quota_exceeded"]);
    expect(refused.message).toContain(`An export of ${SIZE} rows costs ${COST} requests; 20 of the ${COST + 20}`);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.headers["x-total-count"]).toBeUndefined();
    // The refusal's own request is given back after its answer.
    await expect.poll(() => monthUsed(scant)).toBe(COST);
  });
});

test("a long one is read in ranges of ids, and has the same rows", async () => {
  const index = names.role("funding", "live");
  const pointInTime = await createPointsInTime(client, { timeoutMs: 10_000 })(index, AbortSignal.timeout(60_000));
  const ids = async (read: { pageRows: number; rangesFrom: number }) => {
    const search = { filters: [], idField: "id", source: ["id"] };
    const idsAsText = {
      head: "",
      rows: (documents: readonly { id: string }[]) => documents.map(({ id }) => `${id}\n`).join(""),
    };
    const { count, pages } = await readPages(pointInTime, search, idsAsText, read, AbortSignal.timeout(60_000));
    expect(count).toBe(SIZE);
    let found = "";
    for await (const chunks of pages) for (const chunk of chunks) found += chunk.text;
    return found;
  };
  try {
    const whole = await ids({ pageRows: 1000, rangesFrom: SIZE + 1 });
    expect(whole.split("\n")).toHaveLength(SIZE + 1);
    expect(await ids({ pageRows: 700, rangesFrom: SIZE })).toBe(whole);
  } finally {
    await pointInTime.close();
  }
});

describe("two exports of an account may be under way", () => {
  test("in all processes together, and one that its reader leaves makes room", async () => {
    const busy = await service.key();
    const first = await open("/funding/export", { key: busy, base: one });
    const second = await open("/funding/export", { key: busy, base: two });
    // An export that stays under way fails every test after this one.
    onTestFinished(() => {
      first.destroy();
      second.destroy();
    });
    for (const base of [one, two]) {
      const third = await errorOf("/signals/export", { key: busy, base });
      expect([third.status, third.code]).toEqual([429, "rate_limited"]);
      expect(third.message).toContain("2 exports under way");
      expect(Number(third.headers["retry-after"])).toBeGreaterThan(0);
    }
    expect((await call("/funding/export?country=BR")).status).toBe(200);
    const used = await monthUsed(busy);
    first.destroy();
    // It costs more than the two that were refused, whose cost may be given back after `used` was read.
    await expect.poll(async () => (await call("/funding/export", { key: busy, base: two })).status).toBe(200);
    second.destroy();
    await expect.poll(openViews).toBe(0);
    // A reader that leaves gets nothing back.
    await expect.poll(() => monthUsed(busy)).toBeGreaterThan(used);
  });
});

describe("a reader that pauses", () => {
  test("stops the export, and continues where it was", async () => {
    const [searched, sent] = ["tranche_search_seconds_count", "tranche_export_rows_total"];
    const [before, sentBefore] = [await metric(searched), await metric(sent)];
    const response = await open("/funding/export", { base: two });
    try {
      const pages = await untilSteady(async () => (await metric(searched)) - before);
      expect(pages).toBeGreaterThan(0);
      expect(pages).toBeLessThan(SIZE / 1000);
      expect(await metric("tranche_exports_under_way")).toBe(1);
      expect((await text(response)).split("\n")).toHaveLength(SIZE + 1);
    } finally {
      // An export that stays under way fails every test after this one.
      response.destroy();
    }
    await expect.poll(() => metric("tranche_exports_under_way")).toBe(0);
    expect((await metric(sent)) - sentBefore).toBe(SIZE);
  });
});

const secondPage: Catch = ({ path, body }) =>
  path.startsWith("/_search") && body.includes('"search_after"') ? "before" : undefined;

test("a page that the engine fails to give once is read again", async () => {
  const response = await open("/funding/export", { base: two });
  const caught = proxy.catchNext(secondPage, async () => {});
  expect((await text(response)).split("\n")).toHaveLength(SIZE + 1);
  await caught;
});

describe("an export that can't be finished", () => {
  test.each(["identity", "gzip"])("because the engine dies is cut off, never ended cleanly (%s)", async (encoding) => {
    const paid = await service.key();
    // The second page waits for the engine to be away, because all of the compressed rows may fit into the system's buffers.
    const [asked, away] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const caught = proxy.catchNext(secondPage, () => {
      asked.resolve();
      return away.promise;
    });
    const response = await open("/funding/export", { key: paid, base: two, headers: { "accept-encoding": encoding } });
    const chunks: Buffer[] = [];
    let failed: Error | undefined;
    await asked.promise;
    proxy.mode = { kind: "away" };
    away.resolve();
    await caught;
    try {
      for await (const chunk of response) chunks.push(chunk as Buffer);
    } catch (error) {
      failed = error as Error;
    } finally {
      proxy.mode = { kind: "pass" };
    }
    expect(failed).toMatchObject({ code: "ECONNRESET" });
    expect(response.complete).toBe(false);
    const bytes = Buffer.concat(chunks);
    if (encoding === "gzip") expect(() => gunzipSync(bytes)).toThrow("unexpected end of file");
    // What was not sent is given back, and its slot is free.
    await expect.poll(() => monthUsed(paid)).toBeLessThan(COST);
    const rows = bytes.toString().split("\n").length - 1;
    if (encoding === "identity")
      await expect.poll(() => monthUsed(paid)).toBeGreaterThanOrEqual(Math.ceil(rows / 1000));
    await expect.poll(() => metric("tranche_exports_under_way")).toBe(0);
    expect((await call("/funding/export?country=BR", { key: paid, base: two })).status).toBe(200);
  });
});
