import { expect, test } from "vitest";
import {
  handleOfFeedToken,
  handleOfKey,
  hashOfKey,
  idOfIngestToken,
  newApiKey,
  newFeedToken,
  newHandle,
  newIngestToken,
  prefixOfKey,
} from "./api-key.ts";

test("a key has the shape that is promised and names its account", () => {
  const handle = newHandle();
  const key = newApiKey(handle);
  expect(key).toMatch(/^trn_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
  expect(handleOfKey(key)).toBe(handle);
});

test("a mistyped key is recognised by its checksum alone", () => {
  const key = newApiKey(newHandle());
  for (let i = "trn_".length; i < key.length; i++) {
    if (key[i] === "_") continue;
    const mistyped = key.slice(0, i) + (key[i] === "a" ? "b" : "a") + key.slice(i + 1);
    expect(handleOfKey(mistyped)).toBeUndefined();
  }
});

test("what is stored and shown of a key does not give it away", () => {
  const key = newApiKey(newHandle());
  expect(hashOfKey(key)).toMatch(/^[0-9a-f]{64}$/);
  expect(prefixOfKey(key).length).toBeLessThan(20);
});

test("the token of a feed link is not a key, and a key is not such a token", () => {
  const handle = newHandle();
  const token = newFeedToken(handle);
  expect(token).toMatch(/^trf_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
  expect(handleOfFeedToken(token)).toBe(handle);
  expect(handleOfKey(token)).toBeUndefined();
  expect(handleOfKey(token.replace("trf", "trn"))).toBeUndefined();
  expect(handleOfFeedToken(newApiKey(handle))).toBeUndefined();
});

test("an ingest token is neither a key nor a token of a feed link", () => {
  const token = newIngestToken(newHandle());
  expect(token).toMatch(/^tri_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
  expect(idOfIngestToken(token)).toBe(token.slice(4, 12));
  expect([handleOfKey(token), handleOfFeedToken(token), idOfIngestToken(newApiKey(newHandle()))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
