import type { ParsedRecord } from "@tranche/shared/domain/records/parse";
import { expect, test } from "vitest";
import { createIngestCounter } from "@tranche/intake/reading/counter";
import { summaryText } from "./summary-text.ts";

const round = (over: Partial<ParsedRecord> = {}) =>
  ({ type: "round", id: "r", version: undefined, body: {}, notes: [], ...over }) as ParsedRecord;

test("the summary counts writes by type, deletes, countries and labels, the most frequent first", () => {
  const counter = createIngestCounter();
  counter.enqueued(round({ notes: [{ kind: "unknown_deal_type", value: "zorp" }] }));
  for (let i = 0; i < 2; i++) counter.enqueued(round({ notes: [{ kind: "unknown_deal_type", value: "auction" }] }));
  counter.enqueued(round({ body: null }));
  counter.enqueued({
    ...round(),
    type: "company",
    notes: [{ kind: "unknown_country", value: "Freedonia" }],
  } as ParsedRecord);
  const summary = counter.summary(2, false);
  expect(summary).toMatchObject({ enqueued: { company: 1, investor: 0, round: 4, signal: 0 }, deletes: 1 });
  expect(Object.entries(summary.unknown_deal_types)).toEqual([
    ["auction", 2],
    ["zorp", 1],
  ]);
  expect(summaryText(summary)).toContain(
    "Labels that match no deal type, stored as 'other' with the label: 3 ('auction' 2, 'zorp' 1)",
  );
  expect(summaryText(summary)).toContain("set to null: 1 ('Freedonia' 1)");
});

test("warns when some writes carry a version and some do not, and only then", () => {
  const counter = createIngestCounter();
  counter.enqueued(round());
  expect(summaryText(counter.summary(1, false))).not.toContain("Warning");
  counter.enqueued(round({ version: 3 }));
  expect(summaryText(counter.summary(1, false))).toContain("Warning: 1 writes carry a version and 1 do not");
});

test("the summary counts unknown fields with the type and the closest known field, the most frequent first", () => {
  const counter = createIngestCounter();
  counter.enqueued(round({ notes: [{ kind: "unknown_field", value: "investors[].is_leed" }] }));
  for (let i = 0; i < 2; i++) {
    counter.enqueued(round({ notes: ["zzz", "__proto__"].map((value) => ({ kind: "unknown_field", value })) }));
  }
  const summary = counter.summary(1, false);
  expect(summary.unknown_fields).toEqual([
    { type: "round", field: "zzz", count: 2, suggestion: null },
    { type: "round", field: "__proto__", count: 2, suggestion: null },
    { type: "round", field: "investors[].is_leed", count: 1, suggestion: "investors[].is_lead" },
  ]);
  expect(summaryText(summary)).toContain(
    "Unknown fields, ignored (--strict refuses them): 5 (round.zzz 2, round.__proto__ 2, " +
      "round.investors[].is_leed 1 (did you mean investors[].is_lead?))",
  );
});

test("the summary says what became of records that were there before", () => {
  const counter = createIngestCounter();
  counter.enqueued(round());
  counter.enqueued({ type: "round", id: "r", version: undefined, merge: { amount_usd: 1 }, notes: [] });
  counter.existing({ replaced: 1097, merged: 2, deleted: 0, unchanged: 5, kept: 0, waiting: 1 });
  const summary = counter.summary(1, false);
  expect(summary).toMatchObject({ merges: 1, existing: { replaced: 1097, unchanged: 5 } });
  const text = summaryText(summary);
  expect(text).toContain("Enqueued: 2 (2 rounds; 1 merge)");
  expect(text).toContain("1,097 existing records replaced");
  expect(text).toContain("2 existing records changed by merges");
  expect(text).toContain("1 record not stored yet");
});

test("the summary says what became of every row, and counts what 'else' replaced and what rows contradict", () => {
  const counter = createIngestCounter();
  const item = { ok: true as const, location: { line: 2 }, values: [], raw: "" };
  counter.row({ ...item, notes: [{ kind: "unreadable", column: "Amount", text: "lots" }] }, false);
  counter.row({ ...item, notes: [{ kind: "coarse_date", column: "Date", text: "Q3 2012" }] }, false);
  counter.row({ ...item, notes: [{ kind: "differing", field: "round.amount_usd" }] }, false);
  counter.row({ ...item, skipped: true }, false);
  counter.row({ ok: false, location: { line: 5 }, problems: [], raw: "" }, true);
  counter.counts.files++;
  const text = summaryText(counter.summary(1, false, []));
  expect(text).toContain("5 rows read from 1 file in 1 s: 3 gave records, 1 refused, 1 left out by the mapping");
  expect(text).toContain(`Not readable in column 'Amount', replaced as "else" says: 1 ('lots' 1)`);
  expect(text).toContain(
    "Without a day in column 'Date', taken as the first day of the month, quarter or year: 1 ('Q3 2012' 1)",
  );
  expect(text).toContain("Different from an earlier row of the same record, which stays: 1 ('round.amount_usd' 1)");
});
