import { createHash } from "node:crypto";
import type { WebhookList } from "@tranche/webhooks/webhook";

/** A message as it is sent. `id`: the same for the same changes to the same webhook, so that receivers see what comes twice. */
export type Payload = { id: string; body: string };

/** `changes`: JSON texts. `at`: ms. */
export function changesMessage(
  webhook: { webhook_id: string; list: WebhookList },
  changes: readonly string[],
  at: number,
): Payload {
  const { webhook_id, list } = webhook;
  const data = `{"webhook":${JSON.stringify(webhook_id)},"list":"${list}","changes":[${changes.join(",")}]}`;
  return {
    id: messageId(webhook_id, changes.join("\n")),
    body: `{"type":"${list}.changed","timestamp":"${new Date(at).toISOString()}","data":${data}}`,
  };
}

/** A message that asks the receiver whether it wants deliveries: its answer has to contain the HMAC of the challenge with the secret. */
export function challengeMessage(webhook_id: string, challenge: string, at: number): Payload {
  return ownMessage("webhook.challenge", { webhook: webhook_id, challenge }, at);
}

/** A message without changes, to try a receiver with. */
export function testMessage(webhook_id: string, at: number): Payload {
  return ownMessage("webhook.test", { webhook: webhook_id }, at);
}

function ownMessage(type: string, data: { webhook: string; challenge?: string }, at: number): Payload {
  const timestamp = new Date(at).toISOString();
  return { id: messageId(data.webhook, type, timestamp), body: JSON.stringify({ type, timestamp, data }) };
}

const messageId = (...parts: string[]): string =>
  `msg_${createHash("sha256").update(parts.join("\0")).digest("base64url").slice(0, 27)}`;
