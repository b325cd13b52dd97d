import type { AuditEntry } from "@tranche/shared/accounts/audit";
import { expect, test } from "vitest";
import { logEntryView } from "./log-view.ts";

const names = new Map([
  ["k1", "nightly"],
  ["w1", "Deals"],
]);
const told = (entry: Omit<AuditEntry, "kind" | "audit_id" | "at">) => {
  const { who, what } = logEntryView(
    { kind: "audit", audit_id: "a1", at: "2026-11-29T10:00:00.000Z", ...entry },
    names,
  );
  return `${who} ${what}`;
};

test.each<[Omit<AuditEntry, "kind" | "audit_id" | "at">, string]>([
  [{ actor: "member:ada@x.io", action: "key.revoke", key_id: "k1" }, "ada@x.io revoked the key “nightly”"],
  [
    { actor: "ops:root@host", action: "key.create", key_id: "gone", details: { name: "old" } },
    "the operators created the key “old”",
  ],
  [
    { actor: "operators:10.0.0.1", action: "account.suspend", details: { reason: "unpaid, see ticket 7" } },
    "the operators suspended the account",
  ],
  [
    { actor: "member:bob@x.io (by a link of ada@x.io)", action: "webhook.pause", details: { webhook_id: "w1" } },
    "bob@x.io (by a link of ada@x.io) paused the webhook “Deals”",
  ],
  [{ actor: "indexer", action: "webhook.pause", details: { webhook_id: "w2" } }, "the service paused a webhook"],
  [
    { actor: "member:ada@x.io", action: "member.role", details: { email: "bob@x.io", from: "admin", to: "viewer" } },
    "ada@x.io changed the role of bob@x.io from admin to viewer",
  ],
  [
    {
      actor: "member:ada@x.io",
      action: "member.remove",
      details: { email: "bob@x.io", outcome: "refused: bob@x.io is the last admin" },
    },
    "ada@x.io removed bob@x.io (refused: bob@x.io is the last admin)",
  ],
  [{ actor: "member:ada@x.io", action: "member.remove", details: { email: "ada@x.io" } }, "ada@x.io left the account"],
  [
    { actor: "member:ada@x.io", action: "session.start", details: { member: "ada@x.io", name: "curl/8.5.0" } },
    "ada@x.io signed in with curl",
  ],
  [
    { actor: "member:ada@x.io", action: "follow.delete", details: { follow_id: "f1", member: "bob@x.io" } },
    "ada@x.io ended what bob@x.io followed",
  ],
  [
    { actor: "member:bob@x.io", action: "follow.delete", details: { follow_id: "f1", member: "bob@x.io" } },
    "bob@x.io ended what they followed",
  ],
  [{ actor: "member:ada@x.io", action: "ingest" }, "ada@x.io ingest"],
])("%#", (entry, text) => expect(told(entry)).toBe(text));
