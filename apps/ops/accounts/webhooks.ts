import { QUEUES, type WebhookJob } from "@tranche/shared/protocol/queue/queues";
import { readPlans } from "@tranche/shared/accounts/plans-file";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import type { Delivery } from "@tranche/webhooks/delivery-log";
import { outcomeText } from "@tranche/webhooks/outcome-text";
import type { Progress } from "@tranche/webhooks/progress";
import type { Sent } from "@tranche/webhooks/sending";
import { createWebhooks, type Webhooks } from "@tranche/webhooks/operations";
import type { Webhook } from "@tranche/webhooks/webhook";
import { operator } from "../context/operator.ts";
import type { Engines } from "../context/connect.ts";
import { listed } from "../terminal/table.ts";

/** Webhooks, changed in the name of the user at the command line. */
export function webhooksHere(engines: Engines): Webhooks {
  const { client, redis, names, settings } = engines;
  return createWebhooks({
    client,
    redis,
    names,
    queue: engines.queue<WebhookJob>(QUEUES.webhooks),
    settings,
    plans: () => readPlans(settings.TRANCHE_PLANS_FILE),
    dealTypes: readDealTypes(settings.TRANCHE_VOCABULARY_FILE),
    actor: operator(),
  });
}

/** A webhook as --json prints it, never with its secrets. */
export function shownWebhook({ kind, secrets, ...webhook }: Webhook) {
  return { kind, ...webhook, secrets: secrets.length };
}

/** The webhooks of an account. */
export const webhookTable = (webhooks: readonly Webhook[]): string =>
  listed(webhooks, {
    columns: {
      "webhook id": "webhook_id",
      name: "name",
      list: "list",
      filters: "query",
      url: "url",
      status: "status",
      reason: "reason",
    },
    empty: "The account has no webhooks. Create one with `ops webhooks create --account A --list funding --url URL`.",
  });

/** A webhook with the state of its deliveries. */
export function webhookText(webhook: Webhook, progress: Progress | undefined): string {
  const { webhook_id, name, list, query, url, status, reason, created_at, created_by } = webhook;
  const failing = progress?.failing_since
    ? `\nDeliveries have failed since ${progress.failing_since}, ${progress.failures} times; the next attempt is at ${progress.next_attempt_at ?? "none"}.`
    : "";
  return [
    `Webhook ${webhook_id} (${name}): ${status}${reason ? `. ${reason}` : ""}`,
    `${list}${query ? `?${query}` : ""} to ${url}`,
    `Created at ${created_at} by ${created_by}. Last delivered: ${progress?.last_success_at ?? "never"}.${failing}`,
  ].join("\n");
}

/** Deliveries, the newest first. */
export const deliveryTable = (deliveries: readonly Delivery[]): string =>
  listed(deliveries, {
    columns: {
      "delivery id": "delivery_id",
      at: "at",
      what: "purpose",
      changes: ({ ids }) => String(ids.length),
      answer: ({ status }) => String(status ?? "none"),
      ms: "took_ms",
      reason: "reason",
    },
    empty: "Nothing was sent to this webhook in the last 30 days.",
  });

/** How a message went, in a sentence. */
export function sentText(sent: Sent): string {
  return "unavailable" in sent ? `Nothing was sent: ${sent.unavailable}.` : outcomeText(sent.delivery);
}
