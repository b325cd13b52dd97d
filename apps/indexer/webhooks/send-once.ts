import { randomUUID } from "node:crypto";
import { readFeedState } from "@tranche/shared/feed/state";
import type { Delivery } from "@tranche/webhooks/deliveries/delivery-log";
import { challengeMessage, changesMessage, testMessage } from "@tranche/webhooks/deliveries/message";
import { type Webhook, WebhookError } from "@tranche/webhooks/subscriptions/webhook";
import { noWebhook } from "@tranche/webhooks/subscriptions/webhook-store";
import { attempt } from "./attempt.ts";
import { changesOf } from "./changes.ts";
import type { WebhookParts } from "./parts.ts";

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

/** Asks the receiver whether it wants deliveries, so that nobody has them sent to somebody else. The webhook is active when it does. */
async function challenge(parts: WebhookParts, webhook: Webhook): Promise<Delivery> {
  const id = webhook.webhook_id;
  const text = randomUUID();
  const delivery = await attempt(parts, webhook, challengeMessage(id, text, parts.now()), {
    purpose: "challenge",
    ids: [],
  });
  const answered = delivery.delivered && delivery.answer.includes(text);
  const reason = answered ? null : (delivery.reason ?? "The receiver's answer does not contain the challenge.");
  await parts.webhooks.change(id, answered ? "webhook.activate" : "webhook.refuse", ({ status }) =>
    status === "pending" ? { status: answered ? "active" : "pending", reason } : {},
  );
  return { ...delivery, delivered: answered, reason };
}

/** Sends the documents of an earlier delivery again, as they are now. */
async function resend(parts: WebhookParts, webhook: Webhook, deliveryId: string): Promise<Delivery> {
  const earlier = await parts.deliveries.find(deliveryId);
  if (earlier?.webhook !== webhook.webhook_id) throw new WebhookError(`The webhook has no delivery '${deliveryId}'.`);
  if (earlier.ids.length === 0) throw new WebhookError(`The delivery '${deliveryId}' has no changes to send again.`);
  const state = await readFeedState(parts.redis, parts.namespace, webhook.list);
  if (!state) throw new WebhookError("The feed of changes is closed at the moment. Try again later.");
  const followed = { list: webhook.list, filters: parts.filters.filters(webhook.list, webhook.query) };
  const changes = await changesOf(parts, followed, earlier.ids, state);
  return attempt(parts, webhook, changesMessage(webhook, changes, parts.now()), {
    purpose: "resend",
    ids: earlier.ids,
  });
}
