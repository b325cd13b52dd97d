import { createAccountStore } from "@tranche/shared/accounts/account-store";
import type { Settings } from "@tranche/shared/process/settings";
import { urlRules } from "@tranche/webhooks/webhook-url";
import { createDeliveryLog } from "@tranche/webhooks/delivery-log";
import { createProgressStore } from "@tranche/webhooks/progress";
import { receiverAgent } from "@tranche/webhooks/receiver-agent";
import { createSend } from "./send.ts";
import { createWebhookFilters } from "@tranche/webhooks/followed-lists";
import { createWebhookStore } from "@tranche/webhooks/webhook-store";
import type { PipelineParts } from "../pipeline/parts.ts";
import { createActiveWebhooks } from "./active-webhooks.ts";
import type { WebhookParts } from "./parts.ts";

/** The parts that deliver webhooks; undefined while webhooks are off, because their secrets have no key. */
export function createWebhookParts(
  settings: Settings,
  {
    client,
    names,
    redis,
    dealTypes,
    log,
    timing,
    observe,
  }: Pick<PipelineParts, "client" | "names" | "dealTypes" | "log" | "timing"> & Pick<WebhookParts, "redis" | "observe">,
): WebhookParts | undefined {
  const { TRANCHE_WEBHOOK_KEY: key, TRANCHE_WEBHOOK_TARGETS: targets, TRANCHE_NAMESPACE: namespace } = settings;
  if (!key) return undefined;
  const webhooks = createWebhookStore(client, names.accounts, { actor: "indexer" });
  return {
    client,
    redis,
    namespace,
    key,
    log,
    now: Date.now,
    timing,
    accounts: createAccountStore(client, names),
    webhooks,
    active: createActiveWebhooks(webhooks),
    seen: new Map(),
    progress: createProgressStore(client, names.deliveries),
    deliveries: createDeliveryLog(client, names.deliveries),
    filters: createWebhookFilters(dealTypes),
    send: createSend(receiverAgent(targets)),
    observe,
    urls: urlRules(settings),
  };
}
