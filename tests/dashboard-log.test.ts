import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@tranche/shared/accounts/audit";
import { assertNoneFailed } from "@tranche/shared/engines/search/bulk-results";
import { expect, test } from "vitest";
import type { DashboardRequests } from "../apps/dashboard/routes/routes.ts";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import { withSharedService } from "./support/with-service.ts";

type LogView = DashboardRequests["GET /log"]["data"];

const fixture = withSharedService();
const { client, names } = fixture;
const { accounts, newAccount, signedIn } = dashboardAccounts(fixture);

test("an admin reads the log of their account in words, and of no other", async () => {
  const [mine, theirs] = [await newAccount(), await newAccount()];
  const [ada, eve] = [await signedIn(mine), await signedIn(theirs, "eve@example.com")];
  await eve.ask("POST", "/keys", { name: "theirs" });
  const { record } = (await ada.ask("POST", "/keys", { name: "nightly" })).body.data;
  await ada.ask("POST", `/keys/${record.id}/revoke`);
  await ada.ask("POST", "/members", { email: "bob@example.com", role: "viewer" });
  await accounts.suspend(mine, "unpaid: ticket 7");
  const { entries, next } = (await ada.ask("GET", "/log")).body.data as LogView;
  expect(next).toBeNull();
  expect(entries.map(({ who, what }) => `${who} ${what}`)).toEqual([
    "the operators suspended the account",
    "ada@example.com invited bob@example.com",
    "ada@example.com added bob@example.com as viewer",
    "ada@example.com revoked the key “nightly”",
    "ada@example.com created the key “nightly”",
    expect.stringContaining("ada@example.com signed in with"),
    "the operators added ada@example.com as admin",
    "the operators created the account on the plan scale",
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/ticket 7|ops:|theirs|trn_/);
});

test("every entry is on one page of the log, also of many in one moment", async () => {
  const account = await newAccount();
  const ada = await signedIn(account);
  const at = new Date().toISOString();
  const more = Array.from({ length: 230 }, (_, n): AuditEntry => {
    const audit_id = randomUUID();
    return {
      kind: "audit",
      audit_id,
      at,
      actor: "ops:test",
      action: "key.create",
      account,
      details: { name: `k${n}` },
    };
  });
  const operations = more.flatMap((entry) => [{ index: { _id: `audit:${entry.audit_id}` } }, entry]);
  assertNoneFailed(await client.bulk({ index: names.accounts, operations, refresh: true }));
  const seen: string[] = [];
  const sizes: number[] = [];
  for (let next: string | null = ""; next !== null;) {
    const { body } = await ada.ask("GET", `/log${next === "" ? "" : `?after=${encodeURIComponent(next)}`}`);
    const view = body.data as LogView;
    seen.push(...view.entries.map(({ id }) => id));
    sizes.push(view.entries.length);
    next = view.next;
  }
  expect(sizes).toEqual([100, 100, 33]);
  expect(new Set(seen).size).toBe(233);
  for (const wrong of ["x", "2026-01-01", `${at}~`, `${at}~${randomUUID()}x`]) {
    expect(await ada.ask("GET", `/log?after=${encodeURIComponent(wrong)}`)).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", parameter: "after" } },
    });
  }
});
