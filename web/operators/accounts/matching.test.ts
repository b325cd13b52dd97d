import { expect, test } from "vitest";
import type { AccountRow } from "../data.ts";
import { accountsThatMatch } from "./matching.ts";

const account = (id: string, name: string, status: AccountRow["status"] = "active"): AccountRow => ({
  id,
  name,
  status,
  plan: "scale",
  created_at: "2025-06-15T12:00:00Z",
  working_keys: 1,
  requests_this_month: 0,
  quota: 1,
  last_used_at: null,
  throttle: null,
});
const ALL = [
  account("aaaaAAAA", "Acme Research"),
  account("bbbbBBBB", "Globex"),
  account("cccc0000", "Acme", "deleted"),
];
const found = (text: string, withDeleted = false) => accountsThatMatch(ALL, text, withDeleted).map(({ id }) => id);

test("accounts are found by a part of name or id, in any case", () => {
  expect(found(" ACME ")).toEqual(["aaaaAAAA"]);
  expect(found("bbb")).toEqual(["bbbbBBBB"]);
  expect(found("")).toEqual(["aaaaAAAA", "bbbbBBBB"]);
  expect(found("nothing")).toEqual([]);
});

test("deleted ones are found when they are wanted, or by their whole id", () => {
  expect(found("acme", true)).toEqual(["aaaaAAAA", "cccc0000"]);
  expect(found("CCCC0000")).toEqual(["cccc0000"]);
});
