import type { Client } from "@elastic/elasticsearch";
import type { AccountStore } from "@tranche/shared/accounts/account-store";
import type { Logger } from "@tranche/shared/log/logger";
import type { FeedState } from "@tranche/shared/feed/state";
import type { RedisClient } from "@tranche/shared/redis/connect";
import type { UrlRules } from "@tranche/webhooks/addresses/webhook-url";
import type { DeliveryLog } from "@tranche/webhooks/deliveries/delivery-log";
import type { ProgressStore } from "@tranche/webhooks/deliveries/progress";
import type { Send } from "@tranche/webhooks/send/send";
import type { WebhookFilters } from "@tranche/webhooks/subscriptions/followed-lists";
import type { WebhookStore } from "@tranche/webhooks/subscriptions/webhook-store";
import type { WebhookList } from "@tranche/webhooks/subscriptions/webhook";
import type { ActiveWebhooks } from "./active-webhooks.ts";

/** What deliveries are made with. */
export type WebhookParts = {
  client: Client;
  redis: RedisClient;
  namespace: string;
  accounts: Pick<AccountStore, "account" | "accounts">;
  webhooks: WebhookStore;
  active: ActiveWebhooks;
  /** Where the feeds of the lists stood when this process last looked; what came since wakes webhooks when it looks again. */
  seen: Map<WebhookList, FeedState>;
  progress: ProgressStore;
  deliveries: DeliveryLog;
  filters: WebhookFilters;
  send: Send;
  /** A message was sent, or could not be: whether the receiver took it, and after how many seconds. */
  observe: (taken: boolean, seconds: number) => void;
  urls: UrlRules;
  /** The key of the secrets. */
  key: Buffer;
  /** Real time in ms. */
  now: () => number;
  log: Logger;
};
