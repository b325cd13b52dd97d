import type { Client } from "@elastic/elasticsearch";
import type { AccountStore } from "@tranche/shared/accounts/account-store";
import type { Logger } from "@tranche/shared/process/logger";
import type { Timing } from "@tranche/shared/process/timing";
import type { FeedState } from "@tranche/shared/protocol/feed/state";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import type { UrlRules } from "@tranche/webhooks/webhook-url";
import type { DeliveryLog } from "@tranche/webhooks/delivery-log";
import type { ProgressStore } from "@tranche/webhooks/progress";
import type { Send } from "./send.ts";
import type { WebhookFilters } from "@tranche/webhooks/followed-lists";
import type { WebhookStore } from "@tranche/webhooks/webhook-store";
import type { WebhookList } from "@tranche/webhooks/webhook";
import type { ActiveWebhooks } from "./active-webhooks.ts";

/** The stores, clients and settings of deliveries. */
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
  timing: Timing;
  log: Logger;
};
