import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ownPath } from "./way-back.ts";

beforeAll(() => void vi.stubGlobal("location", new URL("https://app.example.com/dashboard/sign-in")));
afterAll(() => void vi.unstubAllGlobals());

test.each([
  "//evil.example",
  "//evil.example/dashboard",
  "https://evil.example/dashboard",
  "https://app.example.com:8443/dashboard",
  "http://app.example.com/dashboard",
  "/\\evil.example",
  "javascript:alert(1)",
  "/docs",
  "/dashboards",
  "/dashboard/../docs",
  "/dashboard/sign-in?to=/dashboard/sign-in",
  "https://",
  null,
])("%s is not followed after signing in", (to) => {
  expect(ownPath(to)).toBeUndefined();
});

test.each(["/dashboard", "/dashboard/members?x=1", "https://app.example.com/dashboard/keys"])("%s is", (to) => {
  expect(ownPath(to)).toBe(to.replace("https://app.example.com", ""));
});
