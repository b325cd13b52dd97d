// Uses a client generated from the OpenAPI document. It compiles only while the document has these names and types.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

type FundingRound = components["schemas"]["FundingRound"];
type DealType = components["schemas"]["DealTypeParameter"];

const { BASE_URL: baseUrl, API_KEY: key } = process.env as { BASE_URL: string; API_KEY: string };
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

/** A filter with several values. */
const dealTypes: DealType[] = ["series_a", "series_b"];
const several = await client.GET("/api/v1/funding", {
  params: { query: { country: ["US", "CA"], deal_types: dealTypes, limit: 10 } },
});
assert(several.data, JSON.stringify(several.error));
assert(several.data.pagination.count > 0, "no row for the filters");
for (const round of several.data.data) assert((dealTypes as string[]).includes(round.deal_type), round.deal_type);

/** Exclusion. */
const without = await client.GET("/api/v1/funding", { params: { query: { country: ["!US"] } } });
assert(without.data, JSON.stringify(without.error));
for (const { company } of without.data.data) assert.notEqual(company.country, "US");

/** All pages, by cursor. */
const seen = new Map<string, FundingRound>();
let count = 0;
for (let cursor: string | undefined; ;) {
  const page = await client.GET("/api/v1/funding", {
    params: { query: { min_amount_usd: 200_000_000, limit: 50, ...(cursor ? { cursor } : {}) } },
  });
  assert(page.data, JSON.stringify(page.error));
  count = page.data.pagination.count;
  for (const round of page.data.data) seen.set(round.id, round);
  const next = page.data.pagination.next_cursor;
  if (next === null) break;
  cursor = next;
}
assert.equal(seen.size, count);
assert(count > 50, `${count} rows fit into a page`);

/** Companies by age and size, the largest first. The showcase alone has both; without it there is no row, and the answer says what was asked. */
const sizes = { min_headcount: 50, max_headcount: 200, min_founded_year: 2005, max_founded_year: 2012 };
const sized = await client.GET("/api/v1/companies", {
  params: { query: { ...sizes, sort: "headcount_desc", limit: 50 } },
});
assert(sized.data, JSON.stringify(sized.error));
assert.deepEqual({ ...sized.data.filters_applied }, { ...sizes, sort: "headcount_desc" });
const heads = sized.data.data.map(({ headcount }) => headcount!);
assert.deepEqual(
  heads,
  heads.toSorted((one, other) => other - one),
);
for (const row of sized.data.data) {
  assert(row.headcount! >= 50 && row.headcount! <= 200, `${row.headcount} people`);
  assert(row.founded_year! >= 2005 && row.founded_year! <= 2012, `founded in ${row.founded_year}`);
}

/** An error, with its type. */
const refused = await client.GET("/api/v1/funding", { params: { query: { from: "2013-02-30" } } });
const problem: components["schemas"]["Problem"] | undefined = refused.error?.error.details?.[0];
assert.equal(refused.response.status, 400);
assert.equal(refused.error?.error.code, "invalid_parameter");
assert.equal(problem?.parameter, "from");

/** A look-up. */
const [round] = [...seen.values()];
assert(round);
const company = await client.GET("/api/v1/companies/{id}", { params: { path: { id: round.company.id } } });
assert.equal(company.data?.data.company.name, round.company.name);

/** A later version: other words and members. */
const later = createClient<paths>({ baseUrl: process.env["LATER_URL"]!, headers: { authorization: `Bearer ${key}` } });
const rounds = await later.GET("/api/v1/funding", { params: { query: { limit: 5 } } });
assert.deepEqual(new Set(rounds.data?.data.map((row) => row.deal_type)), new Set(["later_deal_type"]));
const signals = await later.GET("/api/v1/signals", { params: { query: { limit: 5 } } });
assert.deepEqual(
  new Set(signals.data?.data.map((row) => "signal_details" in row && row.signals[0])),
  new Set(["later_signal"]),
);
const unknown = await later.GET("/api/v1/funding", { params: { query: { from: "2013-02-30" } } });
assert.equal(unknown.error?.error.code, "later_code");

console.log(`TypeScript: ${several.data.pagination.count} rows for several values, ${seen.size} by cursor`);
