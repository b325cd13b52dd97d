import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { readFeedState } from "@tranche/shared/protocol/feed/state";
import { type Delivery, sentAgain } from "@tranche/webhooks/delivery-log";
import { challengeMessage, changesMessage, testMessage } from "./message.ts";
import { fromNow } from "@tranche/webhooks/progress";
import { challengeAnswer } from "./challenge-answer.ts";
import { FEED_OF_LIST, type Webhook, WebhookError } from "@tranche/webhooks/webhook";
import { noWebhook } from "@tranche/webhooks/webhook-store";
import { attempt } from "./attempt.ts";
import { changesOf } from "./changes.ts";
import type { WebhookParts } from "./parts.ts";
import { withDeliveryLease } from "./delivery-lease.ts";

/** Longer than an attempt of the delivery that is under way. */
const LEASE_WITHIN_MS = 12_000;
const LOOK_EVERY_MS = 50;

/** Sends one message that somebody waits for. Rejects with a WebhookError when there is nothing to send it to, or nothing to send. */
export async function sendOnce(
  parts: WebhookParts,
  job: { webhook: string; purpose: "challenge" | "test" | "resend"; delivery?: string | undefined },
): Promise<Delivery> {
  const webhook = await parts.webhooks.find(job.webhook);
  if (!webhook) throw noWebhook(job.webhook);
  if (job.purpose === "challenge") return challenge(parts, webhook);
  if (job.purpose === "resend") return resend(parts, webhook, job.delivery ?? "");
  return attempt(parts, webhook, testMessage(webhook.webhook_id, parts.now()), { purpose: "test", ids: [] });
}

const WRONG_ANSWER =
  "The receiver's answer does not contain the HMAC-SHA256 of the challenge with the webhook's secret, in base64.";

/** Asks the receiver whether it wants deliveries, so that nobody has them sent to somebody else. The webhook is active when it does. */
async function challenge(parts: WebhookParts, webhook: Webhook): Promise<Delivery> {
  const id = webhook.webhook_id;
  const text = randomUUID();
  const delivery = await attempt(parts, webhook, challengeMessage(id, text, parts.now()), {
    purpose: "challenge",
    ids: [],
    wrongAnswer: (answer, secrets) =>
      secrets.some((secret) => answer.includes(challengeAnswer(secret, text))) ? undefined : WRONG_ANSWER,
  });
  const { delivered, reason } = delivery;
  if (delivered) await beginNow(parts, webhook);
  await parts.webhooks.change(id, delivered ? "webhook.activate" : "webhook.refuse", ({ status }) =>
    status === "pending" ? { status: delivered ? "active" : "pending", reason } : {},
  );
  return delivery;
}

/** A webhook that begins now gets the changes after this moment, however late an indexer comes to it. */
async function beginNow({ redis, namespace, progress }: WebhookParts, { webhook_id, list }: Webhook): Promise<void> {
  const read = await progress.read(webhook_id);
  if (read?.progress.from !== "now") return;
  await progress.write(read, { from: fromNow(await readFeedState(redis, namespace, FEED_OF_LIST[list])) });
}

/** Sends the documents of an earlier delivery again, as they are now. Waits while changes are delivered. */
async function resend(parts: WebhookParts, webhook: Webhook, deliveryId: string): Promise<Delivery> {
  const { ids } = await sentAgain(parts.deliveries, webhook.webhook_id, deliveryId);
  const who = randomUUID();
  const end = performance.now() + LEASE_WITHIN_MS;
  while (performance.now() < end) {
    const delivery = await withDeliveryLease(parts, webhook.webhook_id, who, () => sendNewest(parts, webhook, ids));
    if (delivery) return delivery;
    await pause(LOOK_EVERY_MS);
  }
  throw new WebhookError("Changes are being delivered to the webhook all the time. Try again later.");
}

async function sendNewest(parts: WebhookParts, webhook: Webhook, ids: string[]): Promise<Delivery> {
  const state = await readFeedState(parts.redis, parts.namespace, FEED_OF_LIST[webhook.list]);
  if (!state) throw new WebhookError("The feed of changes is closed at the moment. Try again later.");
  const followed = { list: webhook.list, filters: parts.filters.filters(webhook.list, webhook.query) };
  const changes = await changesOf(parts, followed, ids, state);
  return attempt(parts, webhook, changesMessage(webhook, changes, parts.now()), { purpose: "resend", ids });
}
