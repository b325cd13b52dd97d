import type { KeyRecord } from "@tranche/shared/accounts/account";
import { expect, test } from "vitest";
import { isWorking, keyView } from "./key-view.ts";

const NOW = Date.UTC(2026, 10, 23);
const at = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
const record = (rest: Partial<KeyRecord>): KeyRecord => ({
  kind: "key",
  key_id: "id",
  account: "acc",
  key_hash: "hash",
  prefix: "trn_acc_1234…",
  name: "export",
  created_at: at(-100),
  expires_at: null,
  revoked_at: null,
  ...rest,
});

test.each([
  ["works", {}, true],
  ["works", { expires_at: at(15) }, true],
  ["expires_soon", { expires_at: at(14) }, true],
  ["rotating", { expires_at: at(1), replaced_by: "other" }, true],
  ["expired", { expires_at: at(0) }, false],
  ["expired", { expires_at: at(-1), replaced_by: "other" }, false],
  ["revoked", { revoked_at: at(-1) }, false],
  ["revoked", { revoked_at: at(-1), expires_at: at(-2), replaced_by: "other" }, false],
] as const)("a key is '%s' with %o", (status, rest, works) => {
  const view = keyView(record(rest), NOW);
  expect([view.status, isWorking(record(rest), NOW)]).toEqual([status, works]);
  expect(JSON.stringify(view)).not.toContain("hash");
});
