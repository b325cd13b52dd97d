import type { StoredSnapshot } from "@tranche/shared/records/stored";
import { expect, test } from "vitest";
import { oneADay } from "./snapshots.ts";

const snapshot = (version: number, observed_at: string, over: Partial<StoredSnapshot>): StoredSnapshot => ({
  id: `co@${observed_at}${over.seen ? `#${over.seen.join("+")}` : ""}`,
  version,
  company_id: "co",
  observed_at,
  technologies: null,
  headcount: null,
  ...over,
});

test("what merges saw on a day is on top of an older upsert of that day, and says nothing of the rest", () => {
  const days = oneADay([
    snapshot(2, "2025-01-01", { technologies: ["Go"], headcount: 5 }),
    snapshot(1, "2025-01-01", { seen: ["technologies"], technologies: ["Old"] }),
    snapshot(3, "2025-01-01", { seen: ["headcount"], headcount: 7 }),
    snapshot(1, "2025-02-01", { seen: ["headcount", "technologies"], technologies: [], headcount: 8 }),
    snapshot(2, "2025-02-01", { seen: ["headcount"], headcount: 9 }),
  ]);
  expect(days).toEqual([
    expect.objectContaining({ observed_at: "2025-01-01", technologies: ["Go"], headcount: 7 }),
    expect.objectContaining({ observed_at: "2025-02-01", technologies: [], headcount: 9 }),
  ]);
});
