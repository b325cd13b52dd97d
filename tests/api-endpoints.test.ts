import { get as sendGet } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EngineProxy, startProxy } from "./drills/proxy.ts";
import { createRandom } from "./drills/random.ts";
import { awkwardRecords } from "./support/awkward-records.ts";
import { DOCUMENT, undocumented } from "./support/documented.ts";
import { timing } from "./support/pauses.ts";
import { plansFile } from "./support/plans-file.ts";
import { unlessBusy } from "./support/unless-busy.ts";
import { withService } from "./support/with-service.ts";

const NOW = "2025-06-15T12:00:00Z";
const ROUNDS = 60;
const { companies, rounds, investors } = awkwardRecords(ROUNDS, NOW.slice(0, 10));

const limits = { burst: 100_000, quota: 1_000_000 };
const PLANS = {
  starter: { name: "Starter", max_limit: 10, ...limits },
  growth: { name: "Growth", max_limit: 20, ...limits },
  scale: { name: "Scale", max_limit: 50, ...limits },
  brief: { name: "Brief", max_limit: 10, burst: 2, quota: 1000 },
  scant: { name: "Scant", max_limit: 10, burst: 1000, quota: 2 },
};
type Plan = keyof typeof PLANS;

const { service, engines } = withService({ now: NOW, env: { TRANCHE_PLANS_FILE: plansFile(PLANS) } });
let proxy: EngineProxy;
const keys = {} as Record<Plan, string>;

beforeAll(async () => {
  const lines = [...companies, ...investors, ...rounds].map((record) => `${JSON.stringify(record)}\n`).join("");
  proxy = await startProxy(engines.elasticsearchUrl, createRandom(1));
  await service.startApi({ ELASTICSEARCH_URL: proxy.url });
  const [ingest] = await Promise.all([
    service.startIndexer().then(() => service.ops(["ingest", "-", "--wait", "--json"], lines)),
    ...(Object.keys(PLANS) as Plan[]).map(async (plan) => (keys[plan] = await service.key(plan))),
  ]);
  expect(ingest.code, ingest.stdout + ingest.stderr).toBe(0);
});
afterAll(() => proxy.close());

/** `once`: a 503 is not asked again. */
type Sent = { method?: string; plan?: Plan | "none"; headers?: Record<string, string>; once?: boolean };
type Reply = { response: Response; status: number; text: string; header: (name: string) => string | null };

/** Sends a request to an address below `/api/v1`, and holds the answer against the OpenAPI document. */
async function call(path: string, sent: Sent = {}): Promise<Reply> {
  const { method = "GET", plan = "scale", headers = {}, once = false } = sent;
  const key = plan === "none" ? {} : { authorization: `Bearer ${keys[plan]}` };
  const ask = () => fetch(`${service.base}${path}`, { method, headers: { ...key, ...headers } });
  const response = once ? await ask() : await unlessBusy(ask);
  const text = await response.text();
  if (method === "GET") expect(undocumented(documentedPath(path), response, text), `GET ${path}`).toEqual([]);
  return { response, status: response.status, text, header: (name) => response.headers.get(name) };
}

/** `/companies/co-1?limit=1` as the document has it: `/api/v1/companies/{id}`. */
function documentedPath(path: string): string {
  const [, list, id] = path.split("?")[0]!.split("/");
  return `/api/v1/${list}${id === undefined ? "" : id === "export" || id === "stats" || id === "changes" ? `/${id}` : "/{id}"}`;
}
const isExport = (path: string) => path.endsWith("/export");

type Page = {
  data: { id: string; company: { id: string } }[];
  pagination: { count: number; limit: number; offset: number; has_more: boolean };
  filters_applied: Record<string, unknown>;
  warnings?: { code: string; message: string; parameter: string }[];
};
const page = async (path: string, sent?: Sent): Promise<Page> => JSON.parse((await call(path, sent)).text) as Page;
const errorOf = ({ text }: Reply) =>
  (JSON.parse(text) as { error: { code: string; details?: { parameter: string; code: string }[] } }).error;

const OF_CONNECTION = ["connection", "date", "keep-alive"];

const withQuery = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;

const EVERY_ADDRESS = Object.keys(DOCUMENT.paths).map((path) =>
  path
    .replace("/api/v1", "")
    .replace(/\/search$/, "/search?q=company")
    .replace("funding/{id}", "funding/rnd-1")
    .replace("companies/{id}", "companies/company-1")
    .replace("investors/{id}", "investors/societe-generale"),
);

describe("every address", () => {
  test.each(EVERY_ADDRESS)("%s answers as the document says, to HEAD with the headers alone", async (path) => {
    const answer = await call(path, { headers: { "x-request-id": "mine-1" } });
    expect([answer.status, answer.header("x-request-id")]).toEqual([200, "mine-1"]);
    expect(answer.header("content-type")).toBe(
      isExport(path) ? "application/x-ndjson; charset=utf-8" : "application/json; charset=utf-8",
    );
    expect(answer.header("vary")).toBe(
      isExport(path) ? "Accept, Accept-Encoding, Authorization" : "Accept, Accept-Encoding, Authorization, Prefer",
    );
    expect(answer.header("cache-control")).toBe(isExport(path) ? "private, no-store" : "private, no-cache");

    const head = await call(path, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    if (!["/usage", "/freshness"].includes(path)) expect(head.header("etag")).toBe(answer.header("etag"));
    for (const name of ["link", "x-total-count", "content-type"]) expect(head.header(name)).toBe(answer.header(name));
  });

  test.each(EVERY_ADDRESS)("%s takes the largest numbers that the document allows", async (path) => {
    const { parameters } = DOCUMENT.paths[`/api/v1${path.replace(/\?.*/, "")}`]?.get ?? { parameters: [] };
    for (const { name, schema } of parameters) {
      // tests/changes.test.ts waits for as long as it may.
      if (schema.maximum === undefined || name === "wait") continue;
      const answer = await call(withQuery(path, `${name}=${schema.maximum}`));
      expect([name, answer.status]).toEqual([name, 200]);
    }
  });

  test.each(EVERY_ADDRESS)("%s refuses as the document says", async (path) => {
    const anonymous = await call(path, { plan: "none" });
    expect([anonymous.status, errorOf(anonymous).code]).toEqual([401, "unauthorized"]);
    expect(anonymous.header("www-authenticate")).toMatch(/^Bearer/);

    const unknown = await call(withQuery(path, "colour=red"));
    expect([unknown.status, errorOf(unknown).code]).toEqual([400, "invalid_parameter"]);
    expect(errorOf(unknown).details).toMatchObject([{ parameter: "colour", code: "unknown_parameter" }]);

    const picture = await call(path, { headers: { accept: "image/png" } });
    expect([picture.status, errorOf(picture).code]).toEqual([406, "not_acceptable"]);

    const long = await call(withQuery(path, `x=${"x".repeat(8200)}`));
    expect([long.status, errorOf(long).code]).toEqual([414, "uri_too_long"]);

    const wide = await call(path, { headers: { cookie: "x".repeat(16_500) } });
    expect([wide.status, errorOf(wide).code]).toEqual([431, "header_fields_too_large"]);

    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const refused = await call(path, { method });
      expect([refused.status, errorOf(refused).code]).toEqual([405, "method_not_allowed"]);
      expect(undocumented("", refused.response, refused.text)).toEqual([]);
      expect(refused.header("allow")).toBe("GET, HEAD, OPTIONS");
    }
  });

  test.each(EVERY_ADDRESS)("%s refuses callers that call too often or have used up a month", async (path) => {
    // Uses both up, where the address before has not.
    for (let n = 0; n < 2; n++) {
      await call("/funding?limit=1", { plan: "brief" });
      await call("/funding?limit=1", { plan: "scant" });
    }
    const often = await call(path, { plan: "brief" });
    expect([often.status, errorOf(often).code]).toEqual([429, "rate_limited"]);
    expect(Number(often.header("retry-after"))).toBeGreaterThan(0);
    expect(often.header("x-ratelimit-remaining")).toBe("0");

    const used = await call(path, { plan: "scant" });
    if (["/usage", "/freshness"].includes(path)) {
      expect(used.status).toBe(200);
      return;
    }
    expect([used.status, errorOf(used).code]).toEqual([429, "quota_exceeded"]);
    expect(Number(used.header("retry-after"))).toBeGreaterThan(0);
  });

  test("that needs the engine is 503 while that is away, not a short answer, and answers again after", async () => {
    proxy.mode = { kind: "away" };
    // What was asked before is still at hand, and as fresh as the index: these were not.
    const cached = /^\/(?:funding|signals|companies|investors|search)(?:\/stats)?(?:\?|$)/;
    // A reader that begins now needs no search.
    const started = (path: string) => (path.endsWith("/changes") ? withQuery(path, "since=start") : path);
    const paths = EVERY_ADDRESS.map((path) => (cached.test(path) ? withQuery(path, "limit=7") : started(path)));
    const needless = ["/signal-catalog", "/usage"];
    // An answer of `/freshness` is kept for so long.
    await pause(timing.freshness);
    try {
      for (const path of paths) {
        const answer = await call(path, { once: !needless.includes(path) });
        if (needless.includes(path)) expect([path, answer.status]).toEqual([path, 200]);
        else expect([path, answer.status, errorOf(answer).code]).toEqual([path, 503, "unavailable"]);
        if (answer.status === 503) expect(Number(answer.header("retry-after"))).toBeGreaterThan(0);
      }
    } finally {
      proxy.mode = { kind: "pass" };
    }
    for (const path of paths) expect([path, (await call(path, { once: true })).status]).toEqual([path, 200]);
  });

  test.each(["/funding/%", "/companies/%ff", "/investors/%ED%A0%80", "/companies/a%2F..%2F%00", "/companies/a%0D%0Ab"])(
    "%s is malformed",
    async (path) => {
      const answer = await call(path);
      expect([answer.status, errorOf(answer).code]).toEqual([400, "invalid_parameter"]);
      expect(errorOf(answer).details).toMatchObject([{ parameter: "id", code: "malformed_value" }]);
    },
  );

  test.each(["/funding/none", "/companies/none", "/investors/none", "/companies/a%2F..%2Fb", "/companies/c++"])(
    "%s is not found",
    async (path) => {
      const answer = await call(path);
      expect([answer.status, errorOf(answer).code]).toEqual([404, "not_found"]);
    },
  );

  test.each(["", "/", "/fundings", "/Funding", "/funding/rnd-1/investors"])("'%s' is none", async (path) => {
    const answer = await fetch(`${service.base}${path}`);
    expect(answer.status).toBe(404);
    expect(undocumented("", answer, await answer.text())).toEqual([]);
  });
});

describe("a list", () => {
  test("reports all problems of a request at once", async () => {
    const query =
      "sort=newest&from=2024-02-30&country=Atlantis&limit=0&min_amount_usd=5&max_amount_usd=1&investors=&deal_types=sede";
    const error = errorOf(await call(`/funding?${query}`));
    expect(error.details!.map((problem) => problem.parameter).toSorted()).toEqual(
      ["country", "deal_types", "from", "investors", "limit", "min_amount_usd", "sort"].toSorted(),
    );
  });

  test.each(["funding", "signals"])("of %s is walked to its end by its links", async (list) => {
    const seen: string[] = [];
    let path: string | undefined = `/${list}?limit=1000`;
    for (let steps = 0; path !== undefined && steps < 20; steps++) {
      const answer = await call(path, { plan: "growth" });
      const { data, pagination } = JSON.parse(answer.text) as Page;
      expect([pagination.count, pagination.limit]).toEqual([ROUNDS, 20]);
      seen.push(...data.map((row) => row.id ?? row.company.id));
      path = /<\/api\/v1([^>]*)>; rel="next"/.exec(answer.header("link") ?? "")?.[1];
      expect(pagination.has_more).toBe(path !== undefined);
    }
    expect(new Set(seen).size).toBe(ROUNDS);
    expect(seen).toHaveLength(ROUNDS);
  });

  test("has the limit in its links when it was asked for one, even if that is the default", async () => {
    for (const query of ["sort=amount_asc", "sort=amount_asc&limit=10"]) {
      expect((await call(`/funding?${query}`)).header("link")).toContain(`</api/v1/funding?${query}>; rel="first"`);
    }
  });

  test.each(["starter", "growth", "scale"] as const)("has pages no larger than the plan %s has", async (plan) => {
    const cap = PLANS[plan].max_limit;
    for (const path of ["/funding", "/signals", "/investors/inv-sg"]) {
      const capped = await page(`${path}?limit=${cap + 1}`, { plan });
      expect(capped.pagination.limit).toBe(cap);
      expect(capped.warnings).toMatchObject([{ code: "limit_capped", parameter: "limit" }]);
      expect((await page(`${path}?limit=${cap}`, { plan })).warnings).toBeUndefined();
      expect((await page(path, { plan })).pagination.limit).toBe(10);

      const strict = await call(`${path}?limit=${cap + 1}`, { plan, headers: { prefer: "handling=strict" } });
      expect([strict.status, errorOf(strict).details![0]!.code]).toEqual([400, "above_plan_limit"]);
      const fits = await call(`${path}?limit=${cap}`, { plan, headers: { prefer: "handling=strict" } });
      expect([fits.status, fits.header("preference-applied")]).toEqual([200, "handling=strict"]);
    }
  });

  test("is not sent again to a caller that has it", async () => {
    for (const path of ["/funding", "/signals?format=flat", "/companies/co-1"]) {
      const etag = (await call(path)).header("etag")!;
      const again = await call(path, { headers: { "if-none-match": `"other", ${etag}` } });
      expect([again.status, again.text, again.header("etag")]).toEqual([304, "", etag]);
      expect([...again.response.headers.keys()].filter((name) => !OF_CONNECTION.includes(name))).toEqual(
        "cache-control etag ratelimit ratelimit-policy vary x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset x-request-id".split(
          " ",
        ),
      );
      // As proxies that compress have rewritten it.
      for (const suffix of ["-gzip", ";gzip", "-br"]) {
        const rewritten = etag.replace(/"$/, `${suffix}"`);
        expect((await call(path, { headers: { "if-none-match": rewritten } })).status).toBe(304);
      }
      // It names no page, so it earns no 304.
      expect((await call(path, { headers: { "if-none-match": "*" } })).status).toBe(200);
      expect((await call(path, { headers: { "if-none-match": 'W/"other"' } })).status).toBe(200);
      expect((await call(`${path.split("?")[0]}?limit=1`, { headers: { "if-none-match": etag } })).status).toBe(200);
    }
  });

  test("comes as NDJSON, with the count and the warnings in headers", async () => {
    for (const list of ["funding", "signals"]) {
      const path = `/${list}?limit=1000&country=US`;
      const asJson = await page(path);
      const answer = await call(path, { headers: { accept: "application/x-ndjson" } });
      expect(answer.header("content-type")).toBe("application/x-ndjson; charset=utf-8");
      const rows = answer.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown);
      expect(rows).toEqual(asJson.data);
      expect(answer.header("x-total-count")).toBe(String(asJson.pagination.count));
      expect(JSON.parse(answer.header("x-warnings")!)).toEqual(asJson.warnings);
    }
  });

  test("comes in the format that Accept prefers", async () => {
    const typeFor = async (accept: string) => (await call("/funding", { headers: { accept } })).header("content-type");
    expect(await typeFor("*/*")).toMatch(/^application\/json/);
    expect(await typeFor("text/html, text/*;q=0.5")).toMatch(/^text\/csv/);
    expect(await typeFor("application/json;q=0.1, text/csv;q=0.2")).toMatch(/^text\/csv/);
    expect(await typeFor("application/*")).toMatch(/^application\/json/);
    // Parameters of a type do not matter.
    expect(await typeFor("application/json;odata=verbose")).toMatch(/^application\/json/);
    expect(await typeFor("text/csv;header=present, application/json;q=0.9")).toMatch(/^text\/csv/);
    expect(await typeFor("*/*; charset=utf-8, application/json;q=0")).toMatch(/^text\/csv/);
  });
});

describe("CSV", () => {
  const rowsOf = async (path: string): Promise<Record<string, string>[]> => {
    const answer = await call(path, { headers: { accept: "text/csv" } });
    expect(answer.header("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.header("x-total-count")).toBe(String(ROUNDS));
    return parse(answer.text, { columns: true, record_delimiter: "\r\n" });
  };
  /** A text as its cell has it: a formula is made text. */
  const cell = (text: string) => (/^[=+\-@]/.test(text) ? `'${text}` : text);

  test("of 50 rounds gives back every name, however awkward, and lets none be a formula", async () => {
    const rows = await rowsOf("/funding?limit=50");
    expect(rows).toHaveLength(50);
    for (const [n, row] of rows.entries()) {
      const company = companies[n]!;
      const names = investors.slice(0, 1 + (n % 3)).map((investor) => investor.name);
      expect(row).toMatchObject({
        id: rounds[n]!.id,
        amount_usd: rounds[n]!.amount_usd === null ? "" : String(rounds[n]!.amount_usd),
        company_name: cell(company.name),
        country: company.country ?? "",
        city: company.city ?? "",
        category: cell(company.category),
        investors: cell(names.toSorted(asListed).join("; ")),
        investor_count: String(names.length),
        source_url: "",
      });
      for (const text of Object.values(row)) expect(text).not.toMatch(/^[=+\-@]/);
    }
  });

  test("of companies has the columns of flat rows", async () => {
    const rows = await rowsOf("/signals?limit=50");
    const flat = (await page("/signals?limit=50&format=flat")).data as unknown as Record<
      string,
      string | number | null
    >[];
    expect(Object.keys(rows[0]!)).toEqual(Object.keys(flat[0]!));
    expect(rows).toEqual(
      flat.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            typeof value === "string" ? cell(value) : String(value ?? ""),
          ]),
        ),
      ),
    );
  });
});

/** Leads are listed by name. */
const asListed = (a: string, b: string) => (a < b ? -1 : 1);

describe("what is asked for", () => {
  test.each([
    "société générale",
    "SOCIETE-GENERALE",
    "Socie\u0301te\u0301 Ge\u0301ne\u0301rale",
    "Ｓｏｃｉｅｔｅ　Ｇｅｎｅｒａｌｅ",
    "  Société   Générale ",
    "inv-none,SOCIÉTÉ GÉNÉRALE",
  ])("finds the investor that is written %s", async (name) => {
    const found = await page(`/funding?investors=${encodeURIComponent(name)}`);
    expect(found.pagination.count).toBe(ROUNDS);
  });

  test("distinguishes C, C++ and C#, and says how a plus has to be written", async () => {
    const using = async (technology: string) =>
      (await page(`/signals?tech_stack=${technology}&sort=name_asc&limit=50`)).data.map((row) => row.company.id);
    const stackOf = (technology: string) =>
      companies.filter((company) => company.tech_stack!.includes(technology)).map((company) => company.id);
    for (const [written, name] of [
      ["C", "C"],
      ["C%2B%2B", "C++"],
      ["C%23", "C#"],
      ["c%2b%2b", "C++"],
    ] as const) {
      expect((await using(written)).toSorted(), written).toEqual(stackOf(name).toSorted());
    }
    const refused = errorOf(await call("/signals?tech_stack=C++"));
    expect(JSON.stringify(refused.details)).toContain("C%2B%2B");
  });

  test("is warned of when no record has it, with what is nearest", async () => {
    const { data, warnings } = await page("/funding?investors=Kleiner+Perkin");
    expect(data).toEqual([]);
    expect(warnings).toMatchObject([{ code: "unknown_value", parameter: "investors" }]);
    expect(warnings![0]!.message).toContain("'kleiner-perkins'");
  });

  test("gives the same when what was applied is sent back", async () => {
    const first = await page(
      `/funding?investors=${encodeURIComponent('"Kleiner, Perkins"')}&country=usa&deal_types=Seed`,
    );
    expect(first.filters_applied).toEqual({
      country: ["US"],
      deal_types: ["seed"],
      investors: ["Kleiner, Perkins"],
      sort: "announced_date_desc",
    });
    expect(first.pagination.count).toBeGreaterThan(0);
  });
});

describe("browsers and slow lines", () => {
  test("a page of another origin may ask, and read every header that is documented", async () => {
    const origin = { origin: "https://app.example" };
    const preflight = await call("/funding", {
      method: "OPTIONS",
      plan: "none",
      headers: {
        ...origin,
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization, content-type, if-none-match, prefer",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.header("access-control-allow-origin")).toBe("*");
    expect(preflight.header("access-control-allow-methods")).toBe("GET,HEAD");
    for (const name of ["Authorization", "Content-Type", "If-None-Match", "Prefer"]) {
      expect(preflight.header("access-control-allow-headers")).toContain(name);
    }

    for (const plan of ["scale", "none"] as const) {
      const answer = await call("/funding", { plan, headers: origin });
      expect(answer.header("access-control-allow-origin")).toBe("*");
      const readable = answer.header("access-control-expose-headers")!.split(",");
      const always = ["Cache-Control", "Vary"];
      const documented = Object.values(DOCUMENT.paths["/api/v1/funding"]!.get.responses).flatMap((reply) =>
        Object.keys(reply.headers ?? {}),
      );
      expect([...new Set(documented)].filter((name) => ![...readable, ...always].includes(name))).toEqual([]);
    }
  });

  test.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const)("an answer is sent as %s to a caller that accepts it, under the same ETag", async (coding, unpack) => {
    const plain = await packed("identity");
    const small = await packed(coding);
    expect([plain.headers["content-encoding"], small.headers["content-encoding"]]).toEqual([undefined, coding]);
    expect(small.body.length).toBeLessThan(plain.body.length / 2);
    expect(unpack(small.body).equals(plain.body)).toBe(true);
    expect(small.headers.etag).toBe(plain.headers.etag);
    expect(small.headers.vary).toBe("Accept, Accept-Encoding, Authorization, Prefer");
  });
});

/** A page of rounds as it travels. */
async function packed(coding: string) {
  const headers = { authorization: `Bearer ${keys.scale}`, "accept-encoding": coding };
  const { promise, resolve, reject } = Promise.withResolvers<import("node:http").IncomingMessage>();
  sendGet(`${service.base}/funding?limit=50`, { headers }, resolve).on("error", reject);
  const response = await promise;
  return { headers: response.headers, body: await buffer(response) };
}
