import type { Caller } from "@tranche/shared/accounts/account";
import { expect, test } from "vitest";
import { createKnownCallers, keyFaultOf, type KnownCaller } from "./known-callers.ts";

const START = Date.parse("2025-06-15T12:00:00Z");
const stored: Caller = {
  account: { kind: "account", account: "h", name: "n", plan: "growth", status: "active", created_at: "" },
  key: {
    kind: "key",
    key_id: "k",
    account: "h",
    key_hash: "hash",
    prefix: "",
    name: "",
    created_at: "",
    expires_at: null,
    revoked_at: null,
  },
  versions: { account: 1, key: 1 },
};
const known: KnownCaller = {
  handle: "h",
  keyId: "k",
  plan: "starter",
  expiresAt: null,
  checkedAt: START,
  limits: {
    at: START,
    burst: { limit: 10, used: 1, resetsAt: START },
    month: { limit: 10, used: 1, resetsAt: START },
    own: { limit: 1000, used: 0, resetsAt: START },
  },
};

function world(read: () => Promise<Caller | undefined>) {
  const clock = { now: START, reads: 0 };
  const callers = createKnownCallers(
    async () => {
      clock.reads++;
      return read();
    },
    () => clock.now,
  );
  callers.note("hash", known);
  return { clock, callers };
}

test("a caller that is not known is not read", async () => {
  const { clock, callers } = world(async () => stored);
  expect(await callers.recent("other")).toBeUndefined();
  expect(clock.reads).toBe(0);
});

test("a caller is read again after a minute, with its current plan", async () => {
  const { clock, callers } = world(async () => stored);
  clock.now += 59_999;
  expect(await callers.recent("hash")).toBe(known);
  clock.now += 1;
  expect(await callers.recent("hash")).toMatchObject({ plan: "growth", checkedAt: START + 60_000 });
  clock.now += 59_999;
  await callers.recent("hash");
  expect(clock.reads).toBe(1);
});

test("a key that was revoked is refused at the next read, and then forgotten", async () => {
  const { clock, callers } = world(async () => ({
    ...stored,
    key: { ...stored.key, revoked_at: "2025-06-15T12:00:30Z" },
  }));
  clock.now += 60_000;
  expect(await callers.recent("hash")).toEqual({ fault: "revoked" });
  expect(await callers.recent("hash")).toBeUndefined();
});

test("a key expires at its exact time, without a read", async () => {
  const { clock, callers } = world(async () => stored);
  callers.note("hash", { ...known, expiresAt: START + 1000 });
  clock.now += 999;
  expect(await callers.recent("hash")).toMatchObject({ plan: "starter" });
  clock.now += 1;
  expect(await callers.recent("hash")).toEqual({ fault: "expired" });
});

test("the fault of a key takes precedence over that of its account", () => {
  const suspended = { ...stored, account: { ...stored.account, status: "suspended" as const } };
  expect(keyFaultOf(stored, START)).toBeUndefined();
  expect(keyFaultOf(suspended, START)).toBe("suspended");
  expect(keyFaultOf({ ...suspended, key: { ...stored.key, expires_at: "2025-06-15T12:00:00Z" } }, START)).toBe(
    "expired",
  );
});

test("a caller that is read again has the throttle of its account as it is then", async () => {
  const account = { ...stored.account, throttle: { burst: 2, reason: "a loop" } };
  const { clock, callers } = world(async () => ({ ...stored, account }));
  clock.now += 60_000;
  expect(await callers.recent("hash")).toMatchObject({ limits: { throttle: { burst: 2, quota: null, until: null } } });
});
