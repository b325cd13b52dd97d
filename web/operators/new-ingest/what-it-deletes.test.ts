import { expect, test } from "vitest";
import { whatItDeletes } from "./what-it-deletes.ts";

test("only a set that is known to be new deletes nothing", () => {
  expect(whatItDeletes("deals", null)).toContain("is new, so nothing is deleted now");
  expect(whatItDeletes("deals", undefined)).toMatch(/^What the set 'deals' had and this file lacks is deleted, when/);
  const set = { name: "deals", records: { round: 2, company: 1 } };
  expect(whatItDeletes("deals", set)).toMatch(
    /^The set 'deals' has 2 round records, 1 company record\. Those that this file lacks are deleted, when/,
  );
});
