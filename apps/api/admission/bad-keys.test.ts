import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { unauthorized } from "../errors/api-error.ts";
import { type BadKeys, createBadKeys } from "./bad-keys.ts";

const ADDRESS = "203.0.113.7";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function pastTheLimit(): Promise<BadKeys> {
  const badKeys = createBadKeys();
  for (let n = 0; n < 60; n++) await badKeys.refuse(ADDRESS, unauthorized("No such API key."));
  return badKeys;
}

const getsTurn = (badKeys: BadKeys, hash: string, address = ADDRESS) =>
  badKeys.takeLookUp(address, hash).then(
    () => true,
    () => false,
  );

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

test("below the limit every key is looked up", async () => {
  const badKeys = createBadKeys();
  for (let n = 0; n < 200; n++) expect(await getsTurn(badKeys, `key ${n}`)).toBe(true);
});

test("past the limit few keys of an address are looked up in a second, and others soon", async () => {
  const badKeys = await pastTheLimit();
  const turns = await Promise.all(Array.from({ length: 100 }, (_, n) => getsTurn(badKeys, `key ${n}`)));
  expect(turns.filter(Boolean)).toHaveLength(5);
  await expect(badKeys.takeLookUp(ADDRESS, "another")).rejects.toMatchObject({
    code: "rate_limited",
    headers: { "Retry-After": "1" },
  });
  expect(await getsTurn(badKeys, "another", "203.0.113.8")).toBe(true);
});

test("whoever sends ever new keys does not keep one out that comes again", async () => {
  const badKeys = await pastTheLimit();
  let sent = 0;
  const tries: boolean[] = [];
  for (let tick = 0; tick < 40; tick++) {
    for (let n = 0; n < 50; n++) await getsTurn(badKeys, `new ${sent++}`);
    if (tick % 10 === 0) tries.push(await getsTurn(badKeys, "right"));
    vi.advanceTimersByTime(100);
  }
  expect(tries.slice(0, 2)).toEqual([false, true]);
});

test("a key that is sent again at once has not come again", async () => {
  const badKeys = await pastTheLimit();
  const turns: boolean[] = [];
  for (let n = 0; n < 100; n++) turns.push(await getsTurn(badKeys, `key ${n >> 1}`));
  expect(turns.filter(Boolean)).toHaveLength(5);
});
