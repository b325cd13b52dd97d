import { expect, test } from "vitest";
import { isKept } from "./stores.ts";

test.each(["clock-day", "feed", "feed-horizons", "restore", undefined])(
  "a backup has no document of the kind %s, which describes these engines",
  (kind) => expect(isKept("control", { kind })).toBe(false),
);

test("a backup has other documents, also with these kinds elsewhere", () => {
  expect([isKept("control", { kind: "positions" }), isKept("accounts", { kind: "feed" })]).toEqual([true, true]);
});
