import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Explanation } from "@tranche/operations/explain/explain";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withSharedService } from "./support/with-service.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";

const { service, client, names } = withSharedService();
const folder = mkdtempSync(join(tmpdir(), "provenance-"));
afterAll(() => rmSync(folder, { recursive: true }));
const mine = randomBytes(4).toString("hex");

/** Writes files and ingests them in one run; returns its id. */
async function ingest(files: Record<string, readonly object[] | string>, ...options: string[]): Promise<string> {
  for (const [name, rows] of Object.entries(files))
    writeFileSync(
      join(folder, name),
      typeof rows === "string" ? rows : rows.map((row) => JSON.stringify(row)).join("\n"),
    );
  const paths = Object.keys(files).map((name) => join(folder, name));
  const { code, stdout } = await service.ops(["ingest", ...paths, "--wait", "--json", ...options]);
  expect(code).toBe(0);
  return (JSON.parse(stdout) as { run: string }).run;
}

const company = (n: number, over: object = {}) => ({
  type: "company",
  id: `${mine}-c${n}`,
  name: `Provenance ${mine} ${n}`,
  ...over,
});
const round = { type: "round", id: `${mine}-r`, company_id: `${mine}-c2`, announced_date: "2025-01-02", amount_usd: 1 };

async function recordOf(type: string, id: string) {
  const { stdout } = await service.ops(["explain", type, id, "--json"]);
  return (JSON.parse(stdout) as Explanation).records.find((record) => record.id === id)!;
}

let [tracing, plain] = ["", ""];
beforeAll(async () => {
  [tracing, plain] = await Promise.all([service.key("traced"), service.key("scale")]);
});

async function lookUp(path: string, key = tracing): Promise<{ provenance?: unknown; updated_at: string }> {
  const answer = await fetchUnlessBusy(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: { updated_at: string } }).data;
}

test("a record knows the run, file and line of its newest write, and a merge its own", async () => {
  const first = await ingest({ "one.ndjson": [company(1)], "two.ndjson": [company(9), company(2), round] });
  expect(await recordOf("company", `${mine}-c2`)).toMatchObject({
    from: { run: first, file: 2, line: 2, file_name: "two.ndjson" },
  });
  const second = await ingest({ "array.json": JSON.stringify([{ ...company(1), op: "merge", city: "Bonn" }]) });
  const merged = await recordOf("company", `${mine}-c1`);
  const from = { run: second, file: 1, element: 1, file_name: "array.json" };
  expect(merged).toMatchObject({ from, merges: [{ from }] });
  const shown = await service.ops(["explain", "company", `${mine}-c1`]);
  expect(shown.stdout).toContain(`${second} array.json element 1`);

  expect(await lookUp(`/companies/${mine}-c1`)).toMatchObject({
    provenance: { set: null, run: second, at: expect.stringMatching(/Z$/) },
  });
  const found = await lookUp(`/funding/${mine}-r`);
  expect(found).toMatchObject({ provenance: { set: null, run: first, at: found.updated_at } });
  expect(await lookUp(`/companies/${mine}-c1`, plain)).not.toHaveProperty("provenance");
});

test("of a set, look-ups name the set, and a record from before has none", async () => {
  const set = `p-${mine}`;
  const investor = { type: "investor", id: `${mine}-i`, name: `Investor ${mine}` };
  const run = await ingest({ "set.ndjson": [company(5), investor] }, "--set", set);
  expect(await lookUp(`/companies/${mine}-c5`)).toMatchObject({ provenance: { set, run } });
  expect(await lookUp(`/investors/${mine}-i`)).toMatchObject({ provenance: { set, run } });

  const index = names.record("company");
  const before = await client.get<{ from?: object; version: number }>({ index, id: `${mine}-c5` });
  const { from: _, ...document } = before._source!;
  const version = { version: document.version, version_type: "external_gte" } as const;
  await client.index({ index, id: `${mine}-c5`, document, refresh: true, ...version });
  expect(await lookUp(`/companies/${mine}-c5`)).toMatchObject({ provenance: null });
});
