import { expect, test } from "vitest";
import { PartialAnswer, wholeAnswer, wholeDocuments } from "./retry-forever.ts";

test("an answer of all shards is whole; one without a shard, or in which time ran out, is not", () => {
  const whole = { timed_out: false, _shards: { total: 3, successful: 3, failed: 0 } };
  expect(wholeAnswer(whole)).toBe(whole);
  for (const answer of [
    { ...whole, timed_out: true },
    { ...whole, _shards: { total: 3, successful: 2, failed: 1 } },
    // A shard that no node holds counts neither as successful nor as failed.
    { ...whole, _shards: { total: 3, successful: 2, failed: 0 } },
  ])
    expect(() => wholeAnswer(answer)).toThrow(PartialAnswer);
});

test("a document that could not be read is not a missing one", () => {
  const [found, missing] = [
    { _index: "records", _id: "1", found: true, _source: { a: 1 } },
    { _index: "records", _id: "2", found: false },
  ];
  expect(wholeDocuments({ docs: [found, missing] })).toEqual([found, missing]);
  const error = { type: "no_shard_available_action_exception", reason: "no shard available" };
  const unread = { _index: "records", _id: "3", error };
  expect(() => wholeDocuments({ docs: [found, unread] })).toThrow("3 could not be read: no shard available");
});
