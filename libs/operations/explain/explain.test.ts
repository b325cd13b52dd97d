import { describe, expect, test } from "vitest";
import type { DocumentFacts, Facts, IndexedDocument, RecordState } from "./facts.ts";
import { compared, differencesOf, type StoredDocument } from "./indexed.ts";
import { isNamedIn } from "./open-work.ts";
import { stateOf } from "./sources.ts";
import { whyOf } from "./why.ts";

const record = (type: RecordState["type"], id: string, more: Partial<RecordState> = {}): RecordState => ({
  type,
  id,
  state: "stored",
  version: 2,
  updated_at: "2025-06-15T12:00:00.000Z",
  merges: [],
  ...more,
});
const index = (more: Partial<IndexedDocument> = {}): IndexedDocument => ({
  index: "i",
  role: "live",
  ticket: 7,
  state: "shown",
  compared: "same",
  differences: [],
  ...more,
});
const facts = (document: Partial<DocumentFacts> | null, records: RecordState[], more: Partial<Facts> = {}): Facts => ({
  type: "funding",
  id: "r",
  records,
  edges: [],
  stakes: [],
  snapshots: 0,
  truncated: false,
  document: document && {
    model: "funding",
    id: "r",
    indices: [index()],
    derivation: "document",
    noted: false,
    ...document,
  },
  dead_letters: [],
  jobs: { waiting: 0, active: 0, looked_at: 0, naming: 0, oldest_seconds: null },
  ...more,
});

describe("why", () => {
  const round = record("round", "r", { company_id: "c" });
  test.each([
    ["an unknown round", [record("round", "r", { state: "unknown" })], /round r was never ingested/],
    ["a deleted round", [record("round", "r", { state: "deleted", version: 5 })], /round r was deleted at version 5/],
    ["merges alone", [record("round", "r", { state: "incomplete" })], /only merges/],
    ["an unknown company", [round], /^The round waits for its company c, which was never ingested/],
    [
      "a deleted company",
      [round, record("company", "c", { state: "deleted" })],
      /company c, which was deleted at version 2/,
    ],
    ["a complete round", [round, record("company", "c")], /^The round is version 2; its company c is version 2\.$/],
  ])("of a round: %s", (_case, records, sentence) => {
    expect(whyOf(facts({}, records))[0]).toMatch(sentence);
  });

  test("a deleted investor and a former company", () => {
    const own = record("round", "r", { company_id: "c", investor_ids: ["i"] });
    const edges: Facts["edges"] = [{ type: "round", record_id: "r", company_id: "old" }];
    const records = [own, record("company", "c"), record("investor", "i", { state: "deleted" })];
    expect(whyOf(facts({}, records, { edges }))).toEqual(
      expect.arrayContaining([
        "Investor i was deleted at version 2 and is left out.",
        "The round once belonged to old.",
      ]),
    );
  });

  test("each index says how it differs, and what to do", () => {
    const why = (each: Partial<IndexedDocument>, noted = false) =>
      whyOf(facts({ indices: [index(each)], noted }, [round, record("company", "c")])).at(-1);
    expect(why({ compared: "missing" })).toMatch(/live index should show it.*ops verify --repair/);
    expect(why({ compared: "extra", role: "previous" })).toMatch(/previous index shows it.*rollback/);
    expect(why({ compared: "extra", role: "building" })).toMatch(/building index.*rebuild/);
    expect(why({ compared: "missing" }, true)).toMatch(/noted/);
  });

  test("a document that can't be derived, or was not", () => {
    const why = (derivation: DocumentFacts["derivation"]) =>
      whyOf(facts({ derivation }, [round, record("company", "c")]));
    expect(why({ failed: "too long" })).toContain("The document can't be derived from these records: too long.");
    expect(why({ unavailable: "no indexer" })).toContain(
      "The indices were not compared with the records, because no indexer.",
    );
  });

  test("a company without a live signal, and a signal of an unknown company", () => {
    const document: Partial<DocumentFacts> = {
      model: "companies",
      id: "c",
      indices: [index({ listed: false, next_change_at: "2025-07-01" })],
    };
    expect(whyOf(facts(document, [record("company", "c")], { type: "signals", id: "c" }))).toEqual(
      expect.arrayContaining([expect.stringMatching(/not on \/signals/), "Without new data it changes on 2025-07-01."]),
    );
    const signal = record("signal", "s", { company_id: "c" });
    expect(whyOf(facts(null, [signal], { type: "signal", id: "s" }))[0]).toMatch(
      /^The signal waits for its company c, which/,
    );
  });
});

describe("what an index holds, compared with a derivation", () => {
  const stored = (document: Record<string, unknown> | null): StoredDocument => ({
    index: "i",
    role: "live",
    stored: document && { ticket: 7, document },
  });
  test.each([
    [{ a: 1 }, { a: 1 }, "shown", "same"],
    [{ a: 1 }, { a: 2 }, "shown", "stale"],
    [{ a: 1 }, null, "shown", "extra"],
    [{ gone: true }, { a: 1 }, "gone", "missing"],
    [{ gone: true }, null, "gone", "same"],
    [null, { a: 1 }, "absent", "missing"],
    [null, null, "absent", "same"],
  ])("%j, derived %j: %s, %s", (is, document, state, result) => {
    expect(compared(stored(is), { index: "i", document })).toMatchObject({ state, compared: result });
  });
  test("is not compared with a derivation that failed or that there is none of", () => {
    expect(compared(stored({ a: 1 }), undefined).compared).toBe("unknown");
    expect(compared(stored({ a: 1 }), { index: "i", document: null, failed: "no" }).compared).toBe("unknown");
  });
  test("fields of a row are named one by one", () => {
    expect(differencesOf({ row: '{"a":1,"b":2}', c: [1] }, { row: '{"a":1,"b":3}', c: [2] })).toEqual([
      { field: "row.b", stored: "2", derived: "3" },
      { field: "c", stored: "[1]", derived: "[2]" },
    ]);
  });
});

test("jobs and dead letters name records and documents, whatever else they have", () => {
  const names = new Set(["round r", "funding r"]);
  const named = (data: unknown) => isNamedIn(data, names);
  expect(named({ type: "round", id: "r" })).toBe(true);
  expect(named({ model: "funding", id: "r" })).toBe(true);
  expect(named({ records: [null, 3, { type: "round", id: "r" }] })).toBe(true);
  expect(named({ rounds: ["r"], companies: [] })).toBe(true);
  for (const other of [
    null,
    "r",
    { type: "company", id: "r" },
    { records: [{ type: "round" }] },
    { companies: ["r"] },
  ]) {
    expect(named(other)).toBe(false);
  }
});

test("the state of a record counts its merges", () => {
  const merge = { id: "m", type: "company", record_id: "c", version: 3, updated_at: "2025-06-15T12:00:00Z" } as const;
  expect(stateOf("company", "c", undefined, []).state).toBe("unknown");
  expect(stateOf("company", "c", undefined, [{ ...merge, fields: { city: "Bonn" } }])).toMatchObject({
    state: "incomplete",
    merges: [{ version: 3, fields: ["city"] }],
  });
  expect(stateOf("company", "c", undefined, [{ ...merge, fields: { name: "C" } }])).toMatchObject({
    state: "stored",
    version: 3,
    name: "C",
  });
  const deleted = { id: "c", version: 5, updated_at: merge.updated_at, deleted: true, body: null } as const;
  expect(stateOf("company", "c", deleted, [{ ...merge, fields: { city: "Bonn" } }])).toMatchObject({
    state: "deleted",
    version: 5,
  });
});
