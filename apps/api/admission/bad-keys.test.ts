import { expect, test } from "vitest";
import { unauthorized } from "../errors/api-error.ts";
import { createBadKeys } from "./bad-keys.ts";

test("60 bad keys of an address get their own refusal, further ones get rate_limited", async () => {
  const badKeys = createBadKeys();
  const refusal = unauthorized("No such API key.");
  for (let n = 0; n < 59; n++) expect(await badKeys.refuse("203.0.113.7", refusal)).toBe(refusal);
  expect(await badKeys.tooManyFrom("203.0.113.7")).toBeUndefined();
  expect(await badKeys.refuse("203.0.113.7", refusal)).toBe(refusal);
  const after = await badKeys.refuse("203.0.113.7", refusal);
  expect(after).toMatchObject({ code: "rate_limited", status: 429, headers: { "Retry-After": "60" } });
  expect(await badKeys.tooManyFrom("203.0.113.7")).toMatchObject({ code: "rate_limited" });
  expect(await badKeys.tooManyFrom("203.0.113.8")).toBeUndefined();
});

test("an unknown key is remembered", () => {
  const badKeys = createBadKeys();
  badKeys.noteUnknown("a");
  expect([badKeys.isUnknown("a"), badKeys.isUnknown("b")]).toEqual([true, false]);
});
