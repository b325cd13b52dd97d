import type { Webhook } from "@tranche/webhooks/webhook";
import type { WebhookStore } from "@tranche/webhooks/webhook-store";

/** How often the active webhooks are read. A job for an unknown one has them read earlier. */
const READ_EVERY_MS = 10_000;

/** The active webhooks of all accounts, as they were read a few seconds ago. */
export type ActiveWebhooks = {
  all(): Promise<readonly Webhook[]>;
  /** A webhook has a job. If it is not known yet, all are read again the next time. */
  refreshUnlessKnown(id: string): void;
};

export function createActiveWebhooks(store: Pick<WebhookStore, "active">): ActiveWebhooks {
  let webhooks: readonly Webhook[] = [];
  let ids: ReadonlySet<string> = new Set();
  let readAt = -Infinity;
  return {
    async all() {
      if (performance.now() - readAt > READ_EVERY_MS) {
        readAt = performance.now();
        webhooks = await store.active();
        ids = new Set(webhooks.map(({ webhook_id }) => webhook_id));
      }
      return webhooks;
    },
    refreshUnlessKnown(id) {
      if (!ids.has(id)) readAt = -Infinity;
    },
  };
}
