import { randomBytes } from "node:crypto";
import type { Digest } from "@tranche/webhooks/digest-store";
import type { Follow } from "@tranche/webhooks/follow";
import { sealSecret } from "@tranche/webhooks/secrets";
import { expect, test } from "vitest";
import { createSlack } from "./slack.ts";

test("an address that was stored with another key is refused, so that its follow is paused", async () => {
  const [key, former] = [randomBytes(32), randomBytes(32)];
  const posted: string[] = [];
  const slack = createSlack({
    key,
    post: async (url: string) => (posted.push(url), "posted"),
    dashboard: "https://app.example.com/dashboard",
    log: { warn() {}, error() {} },
  } as unknown as Parameters<typeof createSlack>[0]);
  const digest = { rows: [], more: 1, removed: 0 } as unknown as Digest;
  const follow = { follow_id: "f", name: "Seed", of: { kind: "search", id: "s" }, member: "ada@example.com" };
  const tell = (by: Buffer) =>
    slack.tell(
      { ...follow, every: "daily", slack: sealSecret(by, "f", "https://hooks.slack.com/x") } as Follow,
      digest,
    );
  expect(await tell(former)).toEqual({ refused: "The address can't be read any more. End this and follow again." });
  expect(posted).toEqual([]);
  expect(await tell(key)).toBe("told");
  expect(posted).toEqual(["https://hooks.slack.com/x"]);
});
