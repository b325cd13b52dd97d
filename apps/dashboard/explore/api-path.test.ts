import { expect, test } from "vitest";
import { apiPath } from "./api-path.ts";

test.each([
  ["/dashboard/api/v1/funding", "/api/v1/funding"],
  ["/dashboard/api/v1/funding?country=US&q=../..", "/api/v1/funding?country=US&q=../.."],
  ["/dashboard/api/v1/companies/Z%C3%BCrich", "/api/v1/companies/Z%C3%BCrich"],
  ["/dashboard/api/v1/companies/a%2Fb", "/api/v1/companies/a%2Fb"],
  ["/dashboard/api/v1/companies/..a?x=%", "/api/v1/companies/..a?x=%"],
])("%s goes to %s", (url, path) => {
  expect(apiPath(url)).toBe(path);
});

test.each([
  "/dashboard/api/v1/",
  "/dashboard/api/v1",
  "/dashboard/api/v1//funding",
  "/dashboard/api/v1/funding/",
  "/dashboard/api/v1/../metrics",
  "/dashboard/api/v1/%2e%2e/metrics",
  "/dashboard/api/v1/.%2E/metrics",
  "/dashboard/api/v1/companies/%2e%2e%2f%2e%2e%2fmetrics",
  "/dashboard/api/v1/companies/a%2F..%2Fb",
  "/dashboard/api/v1/companies/..%5c..",
  "/dashboard/api/v1/companies/%2Fa",
  "/dashboard/api/v1/./funding",
  "/dashboard/api/v1/companies/%",
  "/dashboard/api/v1/companies/%ff",
  "/dashboard/api/v1/funding#x",
  "/dashboard/api/v1/fünding",
  "http://elsewhere/dashboard/api/v1/funding",
  "/dashboard/api/v10/funding",
])("%s goes nowhere", (url) => {
  expect(apiPath(url)).toBeUndefined();
});
