import { randomUUID } from "node:crypto";
import type { Delivery } from "@tranche/webhooks/deliveries/delivery-log";
import type { Payload } from "@tranche/webhooks/deliveries/message";
import { secretsAt } from "@tranche/webhooks/secrets/secrets";
import type { Webhook } from "@tranche/webhooks/subscriptions/webhook";
import type { WebhookParts } from "./parts.ts";

/** Sends a message to a webhook, and keeps how that went in the log of its deliveries. */
export async function attempt(
  { send, deliveries, key, now }: Pick<WebhookParts, "send" | "deliveries" | "key" | "now">,
  { webhook_id, account, url, secrets: stored }: Webhook,
  { id, body }: Payload,
  { purpose, ids }: Pick<Delivery, "purpose" | "ids">,
): Promise<Delivery> {
  const at = now();
  const secrets = secretsAt(key, webhook_id, stored, at);
  const outcome = await send({ url, secrets, id, body, at });
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
