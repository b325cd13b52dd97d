import { randomUUID } from "node:crypto";
import { problemOfUrl } from "@tranche/webhooks/webhook-url";
import type { Delivery } from "@tranche/webhooks/delivery-log";
import type { Payload } from "./message.ts";
import { secretsAt, UNREADABLE_SECRET } from "@tranche/webhooks/secrets";
import type { Attempt } from "@tranche/webhooks/post";
import type { Webhook } from "@tranche/webhooks/webhook";
import type { WebhookParts } from "./parts.ts";

type Sent = Pick<Delivery, "purpose" | "ids"> & {
  /** Why an accepted message was answered wrongly, in words for the webhook's owner; undefined where the answer is right. */
  wrongAnswer?: (answer: string, secrets: readonly string[]) => string | undefined;
};

/**
 * Sends a message to a webhook, and keeps how that went in the log of its deliveries. Its URL is checked again, because the settings may
 * be stricter than when it was created.
 */
export async function attempt(
  {
    send,
    deliveries,
    key,
    urls,
    now,
    observe,
  }: Pick<WebhookParts, "send" | "deliveries" | "key" | "urls" | "now" | "observe">,
  { webhook_id, account, url, secrets: stored }: Webhook,
  { id, body }: Payload,
  { purpose, ids, wrongAnswer }: Sent,
): Promise<Delivery> {
  const at = now();
  const secrets = secretsAt(key, webhook_id, stored, at);
  const refused = problemOfUrl(url, urls) ?? (secrets.length === 0 ? UNREADABLE_SECRET : undefined);
  const sent = refused === undefined ? await send({ url, secrets, id, body, at }) : notSent(refused);
  const wrong = sent.delivered ? wrongAnswer?.(sent.answer, secrets) : undefined;
  const outcome = wrong === undefined ? sent : { ...sent, delivered: false, reason: wrong };
  observe(outcome.delivered, outcome.took_ms / 1000);
  const delivery: Delivery = {
    kind: "delivery",
    delivery_id: randomUUID(),
    webhook: webhook_id,
    account,
    purpose,
    message_id: id,
    at: new Date(at).toISOString(),
    ...outcome,
    ids,
  };
  await deliveries.add(delivery);
  return delivery;
}

const notSent = (reason: string): Attempt => ({ delivered: false, status: null, reason, answer: "", took_ms: 0 });
