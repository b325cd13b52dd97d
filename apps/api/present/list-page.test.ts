import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { fundingParameters } from "@tranche/read-models/parameters/funding";
import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import { readParameters } from "@tranche/read-models/parameters/read";
import { listPage } from "./list-page.ts";

const table = fundingParameters(dealTypes()) as ParameterTable;
const PLAN = { name: "Starter", max_limit: 10, burst: 1, quota: 1, export: true, webhooks: 1, provenance: false };
const pageOf = (query: string) =>
  listPage({ format: "json", values: readParameters(table, query).values }, PLAN, ["announced_date_desc"]);

test("query strings with the same meaning make the same page", () => {
  expect(pageOf("sort=announced_date_desc&country=usa,GB")).toEqual(pageOf("country=US,gb&sort=announced_date_desc"));
  expect(JSON.stringify(pageOf("min_amount_usd=5&country=us"))).toBe(
    JSON.stringify(pageOf("country=US&min_amount_usd=5")),
  );
  expect(pageOf("country=US")).not.toEqual(pageOf("country=GB"));
});

test("a page has a limit, an offset and an order, also when the caller sent none", () => {
  expect(pageOf("")).toMatchObject({ page: { limit: 10, offset: 0 }, sort: "announced_date_desc", withLimit: false });
  expect(pageOf("limit=5&offset=10")).toMatchObject({ page: { limit: 5, offset: 10 }, withLimit: true, values: {} });
});

test("a limit above the plan's is capped with a warning", () => {
  expect(pageOf("limit=50")).toMatchObject({ page: { limit: 10 }, warnings: [{ code: "limit_capped" }] });
});
