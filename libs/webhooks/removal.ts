import type { DeliveryLog } from "./delivery-log.ts";
import { DELETED, type Webhook } from "./webhook.ts";
import type { WebhookStore } from "./webhook-store.ts";

type RemovalParts = {
  webhooks: Pick<WebhookStore, "change" | "forget">;
  deliveries: Pick<DeliveryLog, "forget">;
};

/**
 * Deletes a webhook and everything of it, and returns its last state. It is marked first: if this process is killed, an indexer removes
 * what is left.
 */
export async function removeWebhook(parts: RemovalParts, id: string): Promise<Webhook> {
  let last: Webhook | undefined;
  await parts.webhooks.change(id, "webhook.delete", (webhook) => {
    last = webhook;
    return DELETED;
  });
  await removeLeftovers(parts, id);
  return last!;
}

/** Removes what is left of a deleted webhook. */
export async function removeLeftovers({ webhooks, deliveries }: RemovalParts, id: string): Promise<void> {
  await deliveries.forget(id);
  await webhooks.forget(id);
}
