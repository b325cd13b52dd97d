import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { newSecret, openSecret, OVERLAP_MS, rotated, sealSecret, secretsAt } from "./secrets.ts";

const key = randomBytes(32);

test("a secret is opened with its key, for its webhook, alone", () => {
  const secret = newSecret();
  const sealed = sealSecret(key, "w1", secret);
  expect(sealed).not.toContain(secret.slice(6));
  expect(openSecret(key, "w1", sealed)).toBe(secret);
  expect(() => openSecret(key, "w2", sealed)).toThrow("TRANCHE_WEBHOOK_KEY");
  expect(() => openSecret(randomBytes(32), "w1", sealed)).toThrow("TRANCHE_WEBHOOK_KEY");
  expect(() => openSecret(key, "w1", "")).toThrow("TRANCHE_WEBHOOK_KEY");
});

test("after a rotation both secrets sign for a day, and never three", () => {
  const seal = (secret: string) => sealSecret(key, "w", secret);
  const first = [{ sealed: seal("one"), expires_at: null }];
  const second = rotated(first, seal("two"), 0);
  expect(secretsAt(key, "w", second, OVERLAP_MS - 1)).toEqual(["two", "one"]);
  expect(secretsAt(key, "w", second, OVERLAP_MS)).toEqual(["two"]);
  expect(secretsAt(key, "w", rotated(second, seal("three"), 1), 2)).toEqual(["three", "two"]);
});
