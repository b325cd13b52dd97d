import { expect, test } from "vitest";
import { ACCOUNT_OPERATIONS } from "./account-operations.ts";
import type { Listing } from "./operation.ts";
import type { Overview } from "./overview.ts";

test("lists say which accounts are throttled now", () => {
  const states = <T>(items: readonly T[], { columns: { status } }: Listing<T>) =>
    items.map((item) => (typeof status === "function" ? status(item) : "")).join("; ");
  const account: Overview = {
    kind: "account",
    account: "8kQ2mZ0a",
    name: "Acme",
    plan: "starter",
    status: "active",
    created_at: "2025-06-15T12:00:00.000Z",
    working_keys: 1,
    requests_this_month: 0,
    last_used_at: null,
  };
  const throttle = { burst: 5, reason: "a loop" };
  const all: Overview[] = [
    account,
    { ...account, throttle },
    { ...account, status: "suspended", throttle: { ...throttle, until: "2100-01-01T00:00:00.000Z" } },
    { ...account, throttle: { ...throttle, until: "2025-06-16T00:00:00.000Z" } },
  ];
  expect(ACCOUNT_OPERATIONS["accounts.list"].command.text(all, undefined, states)).toBe(
    "active; active, throttled; suspended, throttled; active",
  );
});
