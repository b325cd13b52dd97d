import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { unauthorized } from "../errors/api-error.ts";
import { createBadKeys } from "./bad-keys.ts";

const ADDRESS = "203.0.113.7";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("60 bad keys of an address get their own refusal, further ones get rate_limited", async () => {
  const badKeys = createBadKeys();
  const refusal = unauthorized("No such API key.");
  for (let n = 0; n < 59; n++) expect(await badKeys.refuse(ADDRESS, refusal)).toBe(refusal);
  expect(await badKeys.hasTooMany(ADDRESS)).toBe(false);
  expect(await badKeys.refuse(ADDRESS, refusal)).toBe(refusal);
  const after = await badKeys.refuse(ADDRESS, refusal);
  expect(after).toMatchObject({ code: "rate_limited", status: 429, headers: { "Retry-After": "60" } });
  expect(await badKeys.hasTooMany(ADDRESS)).toBe(true);
  expect(await badKeys.hasTooMany("203.0.113.8")).toBe(false);
});

test("an unknown key is remembered", () => {
  const badKeys = createBadKeys();
  badKeys.noteUnknown("a");
  expect([badKeys.isUnknown("a"), badKeys.isUnknown("b")]).toEqual([true, false]);
});
