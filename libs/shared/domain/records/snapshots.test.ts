import { describe, expect, test } from "vitest";
import type { CompanyRecord } from "./record.ts";
import { daysOf, deletionOf, observedNow } from "./snapshots.ts";
import type { StoredSnapshot } from "./stored.ts";

const snapshot = (version: number, observed_at: string, over: Partial<StoredSnapshot>): StoredSnapshot => ({
  id: `co@${observed_at}#${Object.keys(over).join("+")}`,
  version,
  company_id: "co",
  observed_at,
  technologies: null,
  headcount: null,
  ...over,
});
const record = (over: Partial<CompanyRecord>) => ({ observed_at: "2025-06-01", ...over }) as CompanyRecord;

/** The days that any order of the documents gives. */
function days(...stored: StoredSnapshot[]) {
  const inOrder = daysOf(stored).toSorted((a, b) => (a.observed_at < b.observed_at ? -1 : 1));
  expect(new Set(daysOf(stored.toReversed()))).toEqual(new Set(inOrder));
  return inOrder;
}

describe("the snapshots of a company", () => {
  test("are one a day: each field as it was last written, also beside documents that have both", () => {
    expect(
      days(
        snapshot(2, "2025-01-01", { technologies: ["Go"], headcount: 5 }),
        snapshot(1, "2025-01-01", { technologies: ["Old"] }),
        snapshot(3, "2025-01-01", { headcount: 7 }),
        snapshot(1, "2025-02-01", { technologies: [], headcount: 8 }),
        snapshot(2, "2025-02-01", { headcount: 9 }),
      ),
    ).toEqual([
      { observed_at: "2025-01-01", technologies: ["Go"], headcount: 7 },
      { observed_at: "2025-02-01", technologies: [], headcount: 9 },
    ]);
  });

  test("begin anew when the company was deleted", () => {
    const deletion = deletionOf({ id: "co", version: 2, updated_at: "2025-03-01T00:00:00Z" }).document;
    const before = [snapshot(1, "2025-05-01", { technologies: ["Old"] }), snapshot(2, "2025-01-01", { headcount: 4 })];
    expect(days(...before, deletion)).toEqual([]);
    expect(days(...before, deletion, snapshot(3, "2025-01-01", { headcount: 5 }))).toEqual([
      { observed_at: "2025-01-01", technologies: null, headcount: 5 },
    ]);
  });
});

describe("the stack and the headcount that count", () => {
  const history = days(
    snapshot(2, "2025-01-01", { technologies: ["Old"], headcount: 5 }),
    snapshot(1, "2025-02-01", { technologies: ["New"] }),
  );

  test("are the newest of each by the day, not by the write", () => {
    expect(observedNow(record({ tech_stack: ["Old"], headcount: 5 }), history)).toEqual({
      technologies: { value: ["New"], observed_at: "2025-02-01" },
      headcount: { value: 5, observed_at: "2025-01-01" },
    });
  });

  test("are none where the record has none", () => {
    expect(observedNow(record({ tech_stack: null, headcount: null }), history)).toEqual({
      technologies: null,
      headcount: null,
    });
    expect(observedNow(record({ tech_stack: [], headcount: 0 }), [])).toEqual({
      technologies: { value: [], observed_at: "2025-06-01" },
      headcount: { value: 0, observed_at: "2025-06-01" },
    });
  });
});
