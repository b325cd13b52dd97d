import type { Origin } from "@tranche/shared/protocol/queue/enqueue";
import type { ParsedRecord } from "@tranche/shared/domain/records/parse";
import { expect, test } from "vitest";
import { createIngestCounter } from "./counter.ts";
import { noticesOf } from "./notices.ts";
import { createRepeatedIds, type RepeatedIds } from "./repeated-ids.ts";

const round = (over: object = {}) =>
  ({ type: "round", id: "dur-1", version: undefined, body: {}, notes: [], ...over }) as unknown as ParsedRecord;
const noticeOf = (repeated_ids: RepeatedIds) =>
  noticesOf({ ...createIngestCounter().summary(0, false), repeated_ids }).map(
    ({ text, examples }) => `${text}: ${examples.join(", ")}`,
  )[0];
const line = (n: number, file = "a.ndjson"): Origin => ({ file, lines: [n, n] });

test("records that replace an earlier one are counted and named, with their lines", () => {
  const ids = createRepeatedIds();
  for (const n of [2, 3, 4]) ids.add(round(), line(n));
  ids.add(round({ type: "company" }), line(5));
  expect(ids.found()).toEqual({
    count: 2,
    examples: [{ type: "round", id: "dur-1", at: [line(2), line(3), line(4)] }],
    among_first: null,
  });
  expect(noticeOf(ids.found())).toBe(
    "2 records have the id of an earlier record of this call; the last one counts: dur-1 in lines 2, 3, 4",
  );
});

test("places name their files where there are several, and elements of arrays", () => {
  const ids = createRepeatedIds();
  ids.add(round(), line(2));
  ids.add(round(), { file: "b.json", elements: [7, 7] });
  expect(noticeOf(ids.found())).toBe(
    "1 record has the id of an earlier record of this call; the last one counts: dur-1 in a.ndjson line 2, b.json element 7",
  );
});

test("merges, deletes and records with other versions repeat nothing; an upsert after a merge does", () => {
  const ids = createRepeatedIds();
  const merge = round({ body: undefined, merge: {} });
  const versions = [round({ version: 1 }), round({ version: 2, body: undefined, merge: {} }), round({ version: 2 })];
  for (const record of [merge, merge, round({ body: null }), ...versions]) ids.add(record, line(1));
  expect(noticeOf(ids.found())).toBeUndefined();
  ids.add(round(), line(5));
  expect(ids.found().count).toBe(1);
});

test("records with one version and id are one record, of which the highest version says nothing", () => {
  const ids = createRepeatedIds();
  for (const [n, version] of [1, 2, 1].entries()) ids.add(round({ version }), line(n + 1));
  expect(noticeOf(ids.found())).toBe(
    "1 record has the id of an earlier record of this call; the last one counts: dur-1 in lines 1, 3",
  );
});

test("observations of one company on different days are not repeated", () => {
  const ids = createRepeatedIds();
  for (const observed_at of ["2013-09-01", "2013-10-01", "2013-09-01"])
    ids.add(round({ version: 1, body: { observed_at } as never }), line(1));
  expect(ids.found().count).toBe(1);
});

test("examples are few, and so are the ids that are remembered", () => {
  const ids = createRepeatedIds(20);
  for (let n = 1; n <= 3; n++) for (let id = 0; id < 30; id++) ids.add(round({ id: `r${id}` }), line(n));
  const found = ids.found();
  expect([found.count, found.examples.length, found.among_first]).toEqual([40, 10, 20]);
  expect(noticeOf(found)).toContain("(looked for among the first 20 ids): r0 in lines 1, 2, 3, r1");
});
