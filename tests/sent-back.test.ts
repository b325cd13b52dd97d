import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPages } from "../web/building.ts";
import { awkwardRecords } from "./support/awkward-records.ts";
import { type PathProxy, startPathProxy } from "./support/path-proxy.ts";
import { plansWithoutLimits } from "./support/plans-file.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";
import { withService } from "./support/with-service.ts";

/*
 * Everything that an answer gives for a further request is sent back as it is, through a proxy that serves the API under a path:
 * links, cursors, filters, positions of the feed, the page of an error, the type of the content and its ETag.
 */

const { service } = withService({ now: "2023-03-07T12:00:00Z", env: { TRANCHE_PLANS_FILE: plansWithoutLimits() } });
let proxy: PathProxy;
let key: string;

/**
 * Companies whose names are as long as they may be, or have signs of lists in them. None has the key of an id: an item finds the
 * record with this id and those with this name.
 */
const NAMES = ["W".repeat(500), "𝒳".repeat(500), "ﷺ".repeat(40), "!yes", "-5 %", '"cited"', "c, d", "C++", "&"];
const NAMED = NAMES.flatMap((name, n) => [
  {
    type: "company",
    id: `named-${n}`,
    name,
    city: name.slice(0, 200),
    category: name.slice(0, 200),
    tech_stack: ["C++"],
  },
  { type: "investor", id: `by-${n}`, name },
  {
    type: "round",
    id: `of-${n}`,
    company_id: `named-${n}`,
    announced_date: "2023-01-20",
    deal_type: "series_a",
    amount_usd: 5_000_000,
    investors: [{ investor_id: `by-${n}`, is_lead: true }],
  },
]);

beforeAll(async () => {
  await buildPages(() => {});
  proxy = await startPathProxy("/tranche");
  const { companies, rounds, investors } = awkwardRecords(20, "2023-02-20");
  const signs = ["!", "-", "!!", "--", '"', ",", "＋", "'"].flatMap((id) => [
    { type: "company", id, name: `Signs ${id}` },
    { type: "investor", id, name: `By signs ${id}` },
    {
      type: "round",
      id,
      company_id: id,
      announced_date: "2023-01-10",
      deal_type: "seed",
      amount_usd: null,
      investors: [{ investor_id: id, is_lead: true }],
    },
  ]);
  const lines = [...companies, ...investors, ...rounds, ...NAMED, ...signs].map(
    (record) => `${JSON.stringify(record)}\n`,
  );
  await Promise.all([service.startApi({ TRANCHE_PUBLIC_URL: proxy.url }), service.startIndexer()]);
  proxy.sendTo(service.base.replace(/\/api\/v1$/, ""));
  await ingest(caseFile("odd-ids") + lines.join(""));
  key = await service.key();
});
afterAll(() => proxy.close());

type Body = {
  data?: { filters?: Record<string, string> | null; count?: number; key?: unknown }[];
  pagination?: { count: number; next_cursor: string | null };
  filters_applied?: Record<string, unknown>;
  next?: string;
  error?: { doc_url: string };
};
type Answer = { url: URL; status: number; headers: Headers; text: string; body: Body };

const caseFile = (name: string) => readFileSync(new URL(`cases/${name}.ndjson`, import.meta.url), "utf8");

async function ingest(lines: string): Promise<void> {
  const { code, stdout, stderr } = await service.ops(["ingest", "-", "--wait", "--json"], lines);
  expect(code, stdout + stderr).toBe(0);
}

/** Asks for an address as a caller who knows only the public one. */
async function ask(path: string | URL, headers: Record<string, string> = {}): Promise<Answer> {
  const url = new URL(path, `${proxy.url}/`);
  const response = await fetchUnlessBusy(url, { headers: { authorization: `Bearer ${key}`, ...headers } });
  const text = await response.text();
  const isJson = (response.headers.get("content-type") ?? "").startsWith("application/json");
  return {
    url,
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? (JSON.parse(text) as Body) : {},
  };
}

/** The same request with other parameters; `undefined` takes one away. */
function withParameters(url: URL, parameters: Record<string, string | undefined>): URL {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) changed.searchParams.delete(name);
    else changed.searchParams.set(name, value);
  }
  return changed;
}

/** An item of `filters_applied` in a list: the guide says that one with a comma needs quotes. */
const asItem = (item: string) => (/^!?"/.test(item) || !item.includes(",") ? item : `"${item.replaceAll('"', '""')}"`);
const asValue = (value: unknown) =>
  Array.isArray(value) ? value.map((item) => asItem(String(item))).join(",") : String(value);

const ok = ({ status }: Answer) => status === 200;

/** What an answer leads to and does not work, in words. */
async function deadEnds(answer: Answer): Promise<string[]> {
  const { url, headers, body } = answer;
  const dead: string[] = [];
  const check = (holds: boolean, what: string, sent: unknown) => {
    if (!holds)
      dead.push(
        `${what} of ${decodeURIComponent(url.pathname + url.search).slice(0, 200)}: ${String(sent).slice(0, 300)}`,
      );
  };
  for (const [, target, rel] of (headers.get("link") ?? "").matchAll(/<([^<>]*)>; rel="(\w+)"/g)) {
    const found = await ask(new URL(target!, url));
    check(ok(found) && (rel !== "next" || found.text !== answer.text), `Link ${rel}`, target);
  }
  if (body.error)
    check(ok(await ask(new URL(body.error.doc_url, url), { accept: "text/html" })), "doc_url", body.error.doc_url);
  if (!ok(answer)) return dead;

  const cursor = body.pagination?.next_cursor ?? headers.get("x-next-cursor");
  if (cursor) {
    const next = await ask(withParameters(url, { offset: undefined, cursor }), {
      accept: headers.get("content-type")!,
    });
    check(ok(next) && next.text !== answer.text, "next_cursor", cursor);
  }
  if (body.filters_applied) {
    const sent = Object.fromEntries(
      Object.entries(body.filters_applied).map(([name, value]) => [name, asValue(value)]),
    );
    const again = await ask(
      withParameters(new URL(url.origin + url.pathname), {
        ...sent,
        group_by: url.searchParams.get("group_by") ?? undefined,
      }),
    );
    check(
      ok(again) && again.body.pagination?.count === body.pagination?.count,
      "filters_applied",
      JSON.stringify(sent),
    );
    expect(again.body.filters_applied).toEqual(body.filters_applied);
  }
  for (const { filters, count, key: group } of url.pathname.endsWith("/stats") ? (body.data ?? []) : []) {
    if (!filters) continue;
    const list = withParameters(new URL(url.href.replace(/\/stats.*/, "")), { ...filters, limit: "1" });
    const found = await ask(list);
    check(
      ok(found) && found.body.pagination?.count === count,
      `filters of ${JSON.stringify(group)}`,
      JSON.stringify(filters) + found.text,
    );
  }
  const since = headers.get("x-changes-since") ?? body.next;
  if (since) {
    const changes = new URL(url.href.replace(/\/(?:export|changes)\b/, "/changes"));
    const found = await ask(withParameters(changes, { since, format: undefined }));
    check(ok(found), "position of the feed", since);
  }
  const etag = headers.get("etag");
  for (const sent of etag ? [etag, etag.replace(/"$/, '-gzip"')] : []) {
    check(
      (await ask(url, { accept: headers.get("content-type")!, "if-none-match": sent })).status === 304,
      "ETag",
      sent,
    );
  }
  check(ok(await ask(url, { accept: headers.get("content-type")! })), "Content-Type", headers.get("content-type"));
  return dead;
}

const expectNoDeadEnds = async (answers: readonly Answer[]) => {
  const dead: string[] = [];
  for (const answer of answers) dead.push(...(await deadEnds(answer)));
  expect(dead).toEqual([]);
};

const FORMATS = ["application/json", "text/csv", "application/x-ndjson"];
const api = (path: string) => `${proxy.url}/api/v1${path}`;

test.each(["/funding", "/signals", "/companies", "/investors"])("pages of %s lead on", async (list) => {
  const queries = ["limit=4", "limit=4&offset=4", "limit=50", "offset=1000", "sort=name_asc&limit=4"];
  const answers: Answer[] = [];
  for (const query of queries)
    for (const accept of FORMATS) answers.push(await ask(api(`${list}?${query}`), { accept }));
  // By links and cursors to the end.
  for (let answer = answers[0]!; answer.body.pagination?.next_cursor; answers.push(answer)) {
    answer = await ask(withParameters(answer.url, { cursor: answer.body.pagination.next_cursor, limit: "20" }));
  }
  await expectNoDeadEnds(answers);
});

test("filters that were applied apply again, whatever is in the items", async () => {
  const ids = [
    "🚀",
    "..",
    "-",
    "!",
    '"!!"',
    "!!",
    "a,b",
    '"quoted"',
    "x+y",
    "x".repeat(400),
    "é".repeat(200),
    "Odd Id 3",
  ];
  const item = (text: string) => (text === "!!" ? text : `"${text.replaceAll('"', '""')}"`);
  const lists = ids.map((id) => encodeURIComponent(item(id)));
  const queries = [
    ...lists.flatMap((id) => [`companies=${id}`, `investors=${id}`, `companies=!${id.replace(/^!!$/, "x")}`]),
    ...NAMES.slice(0, 2).map((name) => `companies=${encodeURIComponent(name)}`),
    "country=DE,!US&city=!Berlin&category=%22a%2C+b%22",
    "deal_types=Series+A,seed&from=2023-01-01&min_amount_usd=1000000.50&disclosed=true",
  ];
  const answers = [];
  for (const query of queries) answers.push(await ask(api(`/funding?limit=5&${query}`)));
  expect(answers.map(({ status }) => status)).toEqual(queries.map(() => 200));
  await expectNoDeadEnds(answers);
});

test.each([
  [
    "funding",
    "country city category deal_type investor lead_investor company year quarter month amount_band".split(" "),
  ],
  ["signals", "signal country city category technology deal_type score_band".split(" ")],
])("the filters of each group of /%s/stats select its rows", async (list, dimensions) => {
  const pairs = dimensions.slice(1).map((dimension, n) => `${dimensions[n]},${dimension}`);
  const answers: Answer[] = [];
  for (const by of [...dimensions, ...pairs]) answers.push(await ask(api(`/${list}/stats?group_by=${by}&limit=200`)));
  expect(answers.map(({ status, text }) => [status, status === 200 || text])).toEqual(answers.map(() => [200, true]));
  await expectNoDeadEnds(answers);
});

test("every odd id has a group with filters", async () => {
  const { body } = await ask(api("/funding/stats?group_by=company&country=DE&limit=200"));
  const odd = body.data!.filter(({ filters }) => filters).map(({ count }) => count);
  expect(odd).toEqual(Array.from({ length: 31 }, () => 1));
});

test("look-ups, vocabularies, search, usage, exports and the feed lead on", async () => {
  const ids = ["🚀", "a,b", "s/l/a", "p%2Fq", "co-0"].map(encodeURIComponent);
  const paths = [
    ...ids.map((id) => `/companies/${id}?limit=1`),
    "/investors/inv-sg?limit=2",
    "/investors/inv-sg?limit=2&offset=2",
    "/funding/rnd-1",
    "/search?q=odd",
    ..."categories deal-types countries technologies signal-catalog".split(" ").map((name) => `/${name}`),
    ...["funding", "signals", "companies", "investors"].map((list) => `/${list}/export`),
    "/funding/export?format=csv&companies=%F0%9F%9A%80",
    "/funding/changes?since=start&limit=10",
    "/signals/changes?since=start&limit=10&country=DE",
  ];
  const answers: Answer[] = [];
  for (const path of paths) answers.push(await ask(api(path)));
  expect(answers.map(({ url, status }) => [url.pathname, status])).toEqual(
    answers.map(({ url }) => [url.pathname, 200]),
  );
  // Its counts change with each request, and so does its ETag.
  expect((await ask(api("/usage"), { accept: "application/json; charset=utf-8" })).status).toBe(200);
  await expectNoDeadEnds(answers);
});

test("every error leads to its page, and the front door to the documentation", async () => {
  const answers = await Promise.all([
    ask(api("/funding?country=Atlantis")),
    ask(api("/funding?unknown=1")),
    ask(api("/nothing")),
    ask(`${proxy.url}/nothing`),
    ask(api("/companies/nobody")),
    ask(api("/funding"), { authorization: "Bearer trn_wrong" }),
    ask(api("/funding"), { accept: "image/png" }),
    ask(api(`/funding?${"x".repeat(9000)}`)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 404, 404, 404, 401, 406, 414]);
  await expectNoDeadEnds(answers);
  expect((await ask(`${proxy.url}/`)).url.pathname).toBe("/tranche/");
  expect((await fetch(`${proxy.url}/`)).url).toBe(`${proxy.url}/docs`);
});

test("odd names are exported as they are stored, and find their company", async () => {
  const lines = caseFile("odd-names");
  await ingest(lines);
  const names = lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; id: string; name: string })
    .filter(({ type }) => type === "company");
  const namesIn = async (query: string) => {
    const { text } = await ask(api(`/companies/export?format=csv&country=FR&${query}`));
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
    return new Map(rows.map((row) => [row["company_id"], row["company_name"]]));
  };
  const [stored, guarded] = [await namesIn("text=raw"), await namesIn("")];
  expect(names.map(({ id }) => stored.get(id))).toEqual(names.map(({ name }) => name));
  const asFormula = (name: string) => (/^[=+@-]/.test(name) ? `'${name}` : name);
  expect(names.map(({ id }) => guarded.get(id))).toEqual(names.map(({ name }) => asFormula(name)));
  const misses: string[] = [];
  for (const { id, name } of names) {
    const item = encodeURIComponent(`"${name.replaceAll('"', '""')}"`);
    const { body } = await ask(api(`/companies?country=FR&companies=${item}`));
    if (!(body.data as { company: { id: string } }[] | undefined)?.some(({ company }) => company.id === id))
      misses.push(`${name}: ${JSON.stringify(body).slice(0, 200)}`);
  }
  expect(misses).toEqual([]);
});

test("names and positions of before lead to what companies are called now, and to a second layoff", async () => {
  await ingest(caseFile("rename-1") + caseFile("two-layoffs"));
  const roundsOf = async (name: string) => {
    const { body } = await ask(api(`/funding?companies=${encodeURIComponent(name)}&fields=id,company.name`));
    return (body.data as { id: string; company: { name: string } }[])
      .map(({ id, company }) => `${id} ${company.name}`)
      .toSorted();
  };
  const layoffs = "/signals?signal=layoffs&companies=tl-1";
  const found = await ask(api(`${layoffs}&detected_since=2023-03-01`));
  expect(found.body.pagination?.count).toBe(1);
  expect(await roundsOf("Brightway")).toEqual(["rnr-3 Brightway"]);
  const { next } = (await ask(api("/signals/changes?companies=tl-1&since=start"))).body;

  await ingest(caseFile("rename-2"));
  await ingest(caseFile("two-layoffs-2"));
  expect(await roundsOf("Lumen Cart")).toEqual(["rnr-1 Quantor"]);
  expect(await roundsOf("Brightway")).toEqual(["rnr-2 Brightway GmbH", "rnr-3 Brightway GmbH"]);
  const { body } = await ask(api(`/signals/changes?companies=tl-1&since=${encodeURIComponent(next!)}`));
  expect(body.data).toMatchObject([{ change: "upsert", id: "tl-1" }]);
  expect((await ask(api(`${layoffs}&detected_since=2023-03-07`))).body.pagination?.count).toBe(1);
});
