import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { newSecret, openSecret, OVERLAP_MS, rotated, sealSecret, secretsAt, withdrawn } from "./secrets.ts";

const key = randomBytes(32);

test("a secret is opened with its key, for its webhook, alone", () => {
  const secret = newSecret();
  const sealed = sealSecret(key, "w1", secret);
  expect(sealed).not.toContain(secret.slice(6));
  expect(openSecret(key, "w1", sealed)).toBe(secret);
  expect(openSecret(key, "w2", sealed)).toBeUndefined();
  expect(openSecret(randomBytes(32), "w1", sealed)).toBeUndefined();
  expect(openSecret(key, "w1", "")).toBeUndefined();
});

test("when the key was replaced, a rotated secret signs alone", () => {
  const before = [{ sealed: sealSecret(randomBytes(32), "w", "one"), expires_at: null }];
  expect(secretsAt(key, "w", before, 0)).toEqual([]);
  expect(secretsAt(key, "w", rotated(before, sealSecret(key, "w", "two"), 0), 1)).toEqual(["two"]);
});

test("after a rotation both secrets sign for a day, and never three", () => {
  const seal = (secret: string) => sealSecret(key, "w", secret);
  const first = [{ sealed: seal("one"), expires_at: null }];
  const second = rotated(first, seal("two"), 0);
  expect(secretsAt(key, "w", second, OVERLAP_MS - 1)).toEqual(["two", "one"]);
  expect(secretsAt(key, "w", second, OVERLAP_MS)).toEqual(["two"]);
  expect(secretsAt(key, "w", rotated(second, seal("three"), 1), 2)).toEqual(["three", "two"]);
});

test("a secret that is withdrawn leaves those from before, also when another came after it", () => {
  const seal = (secret: string) => sealSecret(key, "w", secret);
  const first = rotated([{ sealed: seal("zero"), expires_at: null }], seal("one"), 0);
  const wrong = seal("wrong");
  const second = rotated(first, wrong, 1);
  expect(withdrawn(second, wrong, first)).toEqual(first);
  const third = rotated(second, seal("two"), 2);
  expect(secretsAt(key, "w", withdrawn(third, wrong, first), OVERLAP_MS + 1)).toEqual(["two", "one"]);
  expect(secretsAt(key, "w", withdrawn(third, wrong, first), OVERLAP_MS + 2)).toEqual(["two"]);
  expect(withdrawn([{ sealed: wrong, expires_at: null }], wrong, [])).toEqual([]);
  expect(withdrawn(first, wrong, second)).toEqual(first);
});
