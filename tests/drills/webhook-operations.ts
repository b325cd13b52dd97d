import { randomBytes } from "node:crypto";
import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { QUEUES, type WebhookJob } from "@tranche/shared/protocol/queue/queues";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";
import { createWebhooks, type Webhooks } from "@tranche/webhooks/operations";
import type { Installation } from "./installation.ts";

const KEY = randomBytes(32);
/** Settings of an installation whose webhooks reach receivers on this machine. */
export const WEBHOOK_ENV = { TRANCHE_WEBHOOK_KEY: KEY.toString("base64"), TRANCHE_WEBHOOK_TARGETS: "any" };

/** The operations on webhooks of an installation that runs with `WEBHOOK_ENV`, for accounts with room for a thousand. */
export function openWebhooks({ client, names, queues, service }: Installation): Webhooks {
  const plans = { scale: { ...DEFAULT_PLANS["scale"]!, webhooks: 1000 } };
  return createWebhooks({
    client,
    redis: queues.redis,
    names,
    queue: queues.queue<WebhookJob>(QUEUES.webhooks),
    settings: {
      TRANCHE_NAMESPACE: service.namespace,
      TRANCHE_WEBHOOK_KEY: KEY,
      TRANCHE_WEBHOOK_TARGETS: "any",
      TRANCHE_PUBLIC_URL: undefined,
      TRANCHE_DASHBOARD_URL: undefined,
    },
    plans: () => plans,
    dealTypes: readDealTypes(undefined),
    actor: "drill",
  });
}
