import { randomBytes } from "node:crypto";
import type { Delivery } from "@tranche/webhooks/delivery-log";
import { sealSecret, UNREADABLE_SECRET } from "@tranche/webhooks/secrets";
import type { Message } from "./send.ts";
import type { Webhook } from "@tranche/webhooks/webhook";
import { expect, test } from "vitest";
import { attempt } from "./attempt.ts";

const key = randomBytes(32);
const webhook = (url: string, sealedWith = key) =>
  ({
    webhook_id: "w1",
    account: "a1",
    url,
    secrets: [{ sealed: sealSecret(sealedWith, "w1", "one"), expires_at: null }],
  }) as Webhook;

async function attempted(
  to: Webhook,
  wrongAnswer?: (answer: string, secrets: readonly string[]) => string | undefined,
) {
  const sent: Message[] = [];
  const logged: Delivery[] = [];
  const observed: [boolean, number][] = [];
  const delivery = await attempt(
    {
      send: async (message) => {
        sent.push(message);
        return { delivered: true, status: 200, reason: null, answer: "", took_ms: 1 };
      },
      deliveries: { add: async (each) => void logged.push(each) } as Parameters<typeof attempt>[0]["deliveries"],
      key,
      urls: { targets: "public", own: ["https://api.example.com"] },
      now: () => 0,
      observe: (taken, seconds) => void observed.push([taken, seconds]),
    },
    to,
    { id: "msg_1", body: "{}" },
    { purpose: "changes", ids: [], ...(wrongAnswer ? { wrongAnswer } : {}) },
  );
  expect(logged).toEqual([delivery]);
  expect(observed).toEqual([[delivery.delivered, delivery.took_ms / 1000]]);
  return { sent, delivery };
}

test("a message is sent with the webhook's secret", async () => {
  const { sent, delivery } = await attempted(webhook("https://example.com/"));
  expect(sent).toMatchObject([{ url: "https://example.com/", secrets: ["one"] }]);
  expect(delivery.delivered).toBe(true);
});

test("a wrong answer is logged as a failure with its reason, and a right one is not", async () => {
  const asked: unknown[] = [];
  const judged = (reason: string | undefined) =>
    attempted(webhook("https://example.com/"), (...args) => {
      asked.push(args);
      return reason;
    });
  expect((await judged("not the HMAC")).delivery).toMatchObject({
    delivered: false,
    status: 200,
    reason: "not the HMAC",
  });
  expect((await judged(undefined)).delivery).toMatchObject({ delivered: true, reason: null });
  expect(asked).toEqual([
    ["", ["one"]],
    ["", ["one"]],
  ]);
});

test.each([
  [webhook("http://example.com/"), "begins with http://"],
  [webhook("https://example.com:9000/"), "port 9000"],
  [webhook("https://api.example.com./"), "the service itself"],
  [webhook("https://example.com/", randomBytes(32)), UNREADABLE_SECRET],
])("nothing is sent where the settings of today forbid it, or without a secret (%#)", async (to, reason) => {
  const { sent, delivery } = await attempted(to);
  expect(sent).toEqual([]);
  expect(delivery).toMatchObject({ delivered: false, status: null, reason: expect.stringContaining(reason) });
});
