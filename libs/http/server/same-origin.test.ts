import { expect, test } from "vitest";
import { isForeign } from "./same-origin.ts";

test("a request of our own page is not foreign, behind a proxy that rewrites Host neither", () => {
  expect(isForeign({ origin: "http://127.0.0.1:3002", host: "127.0.0.1:3002" })).toBe(false);
  const proxied = { origin: "https://app.example.com", host: "dashboard:3002", "sec-fetch-site": "same-origin" };
  expect(isForeign(proxied)).toBe(true);
  expect(isForeign(proxied, "https://app.example.com")).toBe(false);
});

test("a request of any other page is foreign", () => {
  const own = "https://app.example.com";
  for (const origin of ["null", "http://app.example.com", "https://app.example.com:8443", "https://example.com", "x"]) {
    expect(isForeign({ origin, host: "dashboard:3002" }, own), origin).toBe(true);
  }
  for (const site of ["cross-site", "same-site"]) {
    expect(isForeign({ origin: own, host: "app.example.com", "sec-fetch-site": site }, own), site).toBe(true);
  }
});
