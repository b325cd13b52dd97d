import type { Account } from "@tranche/shared/accounts/account-store";
import { expect, test } from "vitest";
import { accountNamed } from "./find.ts";

const account = (id: string, name: string, status: Account["status"] = "active"): Account => ({
  kind: "account",
  account: id,
  name,
  plan: "scale",
  status,
  created_at: "2025-06-15T12:00:00.000Z",
});
const ALL = [
  account("aaaaaaaa", "Acme Research"),
  account("bbbbbbbb", "Globex"),
  account("cccccccc", "Globex", "suspended"),
  account("dddddddd", "acme research", "deleted"),
];

test("an account is found by a name that only one has, in any case; deleted ones give way", () => {
  expect(accountNamed("ACME research", ALL).account).toBe("aaaaaaaa");
  expect(accountNamed("acme research", ALL.slice(1)).account).toBe("dddddddd");
});

test("a name that several have, or none, is an error that says which there are", () => {
  expect(() => accountNamed("globex", ALL)).toThrow("bbbbbbbb (active), cccccccc (suspended)");
  expect(() => accountNamed("Acme Reserch", ALL)).toThrow("Did you mean 'Acme Research' (aaaaaaaa)?");
  expect(() => accountNamed("zzz", ALL)).toThrow("There is no account 'zzz'. `ops accounts list` shows them.");
});
