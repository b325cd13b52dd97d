import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { IngestSummary } from "@tranche/intake/reading/summary";
import type { RunView } from "@tranche/intake/http/run-view";
import { createIngestTokenStore } from "@tranche/shared/accounts/ingest-token-store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withSharedService } from "./support/with-service.ts";

const { service, client, names } = withSharedService();
const folder = mkdtempSync(join(tmpdir(), "sets-"));
const tokens = createIngestTokenStore(client, names.accounts, { actor: "test" });
let anySet: string;
beforeAll(async () => {
  await service.startOperators();
  anySet = (await tokens.create({ name: "any", set: null, types: null, deletes: true })).token;
});
afterAll(() => rmSync(folder, { recursive: true }));
const mine = randomBytes(4).toString("hex");
let files = 0;

type Company = [id: string, city?: string];

const dump = (companies: readonly Company[]): string =>
  companies
    .map(([id, city = "Bonn"]) =>
      JSON.stringify({ type: "company", id: `${mine}-${id}`, name: `Set ${mine} ${id}`, city }),
    )
    .join("\n");

async function ingest(content: string | Buffer, ...options: string[]) {
  const file = join(folder, `dump-${++files}`);
  writeFileSync(file, content);
  const { code, stdout, stderr } = await service.ops(["ingest", file, "--wait", "--json", ...options]);
  return { code, stderr, summary: (stdout === "" ? {} : JSON.parse(stdout)) as IngestSummary };
}
const send = (set: string, companies: readonly Company[], ...options: string[]) =>
  ingest(dump(companies), "--set", `${set}-${mine}`, ...options);

type Shown = IngestSummary & { error?: { code: string; message: string; parameter?: string } };

async function post(body: string, query: string, bearer = anySet) {
  const answer = await fetch(`${service.operator}/ingest?${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}` },
    body,
  });
  return { status: answer.status, headers: answer.headers, document: (await answer.json()) as never as Shown };
}

/** Everything that a set has now, or records of no set, over HTTP. */
async function upload(content: string, set?: string) {
  const { status, document } = await post(content, `wait=true${set === undefined ? "" : `&set=${set}-${mine}`}`);
  expect(status, JSON.stringify(document)).toBe(200);
  return document;
}

/** The cities of the records that are there, by id. */
async function there(ids: readonly string[]): Promise<Record<string, string>> {
  const found = await client.mget<{ body: { city: string } | null }>({
    index: names.record("company"),
    ids: ids.map((id) => `${mine}-${id}`),
  });
  return Object.fromEntries(
    found.docs.flatMap((doc, n) => {
      const body = "_source" in doc ? doc._source?.body : undefined;
      return body ? [[ids[n]!, body.city]] : [];
    }),
  );
}
const many = (prefix: string, count: number): Company[] => Array.from({ length: count }, (_, n) => [`${prefix}${n}`]);

test("what a set lacks is deleted, what it gets is there, and a plain ingest neither joins nor leaves", async () => {
  expect((await send("a", [["a1"], ["a2"], ["a3"]])).summary.set).toMatchObject({ deletions: "none" });
  await ingest(dump([["plain"], ["a2", "Köln"]]));
  const { code, summary } = await send("a", [["a1", "Ulm"], ["a4"]]);
  expect([code, summary.searchable]).toEqual([0, true]);
  expect(summary.set).toMatchObject({ deletions: "done", deleted: 2, missing: { company: 2 }, too_many: [] });
  expect(await there(["a1", "a2", "a3", "a4", "plain"])).toEqual({ a1: "Ulm", a4: "Bonn", plain: "Bonn" });
  // It comes again with a later dump.
  await send("a", [["a1"], ["a3"], ["a4"]]);
  expect(await there(["a1", "a2", "a3"])).toEqual({ a1: "Bonn", a3: "Bonn" });
});

test("a record of two sets is deleted when the last one lets it go, and has its newest content", async () => {
  await upload(dump([["b1"], ["b2"]]), "b");
  await upload(dump([["b1", "Jena"], ["c1"]]), "c");
  const first = await upload(dump([["b2"]]), "b");
  expect(first.set).toMatchObject({ deletions: "done", missing: { company: 1 }, deleted: 0 });
  expect(await there(["b1", "b2", "c1"])).toEqual({ b1: "Jena", b2: "Bonn", c1: "Bonn" });
  expect((await upload(dump([["c1"]]), "c")).set).toMatchObject({ deleted: 1 });
  expect(await there(["b1"])).toEqual({});
});

test("with versions and merges of their own, records go and come again", async () => {
  const line = (op: object) => JSON.stringify({ type: "company", id: `${mine}-v1`, version: 7, ...op });
  const whole = line({ name: "V", city: "Bonn" });
  const other = JSON.stringify({ type: "company", id: `${mine}-v2`, version: 7, name: "W", city: "Bonn" });
  await upload(`${whole}\n${other}`, "v");
  await upload(line({ op: "merge", version: 9, name: "V", city: "Trier" }));
  await upload(other, "v");
  expect(await there(["v1", "v2"])).toEqual({ v2: "Bonn" });
  await upload(`${line({ name: "V", version: 10, city: "Bonn" })}\n${other}`, "v");
  expect(await there(["v1"])).toEqual({ v1: "Bonn" });
});

describe("a dump that is not whole deletes nothing", () => {
  const rows = dump([["d1"], ["d2"], ["d3"]]);
  beforeAll(async () => void (await upload(rows, "d")));

  test.each<[string, string | Buffer]>([
    ["with a refused row", `${rows.split("\n").slice(1).join("\n")}\n{oops`],
    ["with a merge", `${rows.split("\n")[0]}\n{"type":"company","op":"merge","id":"${mine}-m","city":"X"}`],
    ["that is cut off", gzipSync(rows).subarray(0, -12)],
    ["that is empty", ""],
    ["that has no rows", "[]"],
  ])("%s", async (_, content) => {
    const { code, summary } = await ingest(content, "--set", `d-${mine}`);
    expect([code, summary.set!.deletions]).toEqual([1, "not whole"]);
    expect(Object.keys(await there(["d1", "d2", "d3"]))).toHaveLength(3);
  });
});

test("more than a fifth of a type goes only with --allow-deletes, and a type that is missing counts", async () => {
  const companies = many("e", 20);
  const investors = Array.from({ length: 20 }, (_, n) => `{"type":"investor","id":"${mine}-i${n}","name":"I"}`).join(
    "\n",
  );
  await ingest(`${dump(companies)}\n${investors}`, "--set", `e-${mine}`);
  const fewer = [...companies.slice(5), ["e-new"] as Company];
  const refused = await ingest(`${dump(fewer)}\n${investors}`, "--set", `e-${mine}`);
  expect(refused.code).toBe(1);
  expect(refused.summary.set).toMatchObject({
    deletions: "refused",
    deleted: 0,
    too_many: [{ type: "company", had: 20, missing: 5 }],
  });
  // The rows are in.
  expect(Object.keys(await there([...companies.map(([id]) => id), "e-new"]))).toHaveLength(21);
  const lacking = await ingest(dump([...companies, ["e-new"]]), "--set", `e-${mine}`);
  expect(lacking.summary.set).toMatchObject({ too_many: [{ type: "investor", had: 20, missing: 20 }] });
  const allowed = await ingest(dump(fewer), "--set", `e-${mine}`, "--allow-deletes", "100%");
  expect([allowed.code, allowed.summary.set]).toMatchObject([0, { deletions: "done", deleted: 25 }]);
  expect(Object.keys(await there(companies.map(([id]) => id)))).toHaveLength(15);
  const text = await service.ops(["ingest", join(folder, `dump-${files}`), "--set", `x y`]);
  expect(text.code).toBe(2);
});

test("over HTTP: too many deletions are 422, a token for another set is 403, two runs at once are 409", async () => {
  const set = `f-${mine}`;
  const { token } = await tokens.create({ name: "f", set, types: null, deletes: true });
  const keeps = await tokens.create({ name: "keeps", set, types: null, deletes: false });
  const postAs = (body: string, query: string, bearer = token) => post(body, query, bearer);
  const companies = many("f", 20);
  expect((await postAs(dump(companies), `set=${set}&wait=true`)).status).toBe(200);
  const refused = await postAs(dump(companies.slice(10)), `set=${set}&wait=true`);
  expect([refused.status, refused.document.error!.code]).toEqual([422, "too_many_deletions"]);
  for (const query of ["wait=true", "set=other"]) {
    const { status, document } = await postAs(dump(companies), query);
    expect([status, document.error]).toMatchObject([403, { code: "forbidden", parameter: "set" }]);
  }
  const kept = await postAs(dump(companies.slice(1)), `set=${set}&wait=true`, keeps.token);
  expect([kept.status, kept.document.set]).toMatchObject([200, { deletions: "not allowed", deleted: 0 }]);

  const [one, other] = await Promise.all([1, 2].map(() => postAs(dump(companies.slice(1)), `set=${set}&wait=true`)));
  expect([one!.status, other!.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
  const [won, lost] = one!.status === 200 ? [one!, other!] : [other!, one!];
  expect(lost.headers.get("retry-after")).toBe("5");
  expect(won.document.set).toMatchObject({ deletions: "done", deleted: 1 });
  const view = await fetch(`${service.operator}/ingest/${won.document.run}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect((await view.json()) as RunView).toMatchObject({ set, deletions: { state: "done", deleted: 1 } });
  const atOnce = await postAs(dump(companies), `set=${set}&allow_deletes=100%25&wait=true`);
  expect(atOnce.status).toBe(200);
});
