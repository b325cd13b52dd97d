import { parseRecord } from "@tranche/shared/domain/records/parse";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { createIngestCounter } from "./counter.ts";
import { noticesOf } from "./notices.ts";

test("a name of a megabyte is recognised by its beginning, so that a run stays small", () => {
  const counter = createIngestCounter();
  const vocabulary = { dealTypes: dealTypes(), today: "2026-01-01" };
  for (const end of ["a", "b"]) {
    const record = { type: "company", id: "c1", name: "Acme", [`${"x".repeat(1_000_000)}${end}`]: 1 };
    const parsed = parseRecord(record, vocabulary);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    counter.enqueued(parsed.record);
  }
  const [unknown] = noticesOf(counter.summary(1, false)).filter(({ text }) => text.startsWith("Unknown fields"));
  expect(unknown!.examples).toEqual([expect.stringMatching(/^company\.x{192}… 2$/)]);
});
