import type { Client } from "@elastic/elasticsearch";
import { assertStays, type MayStay } from "@tranche/shared/accounts/assert-stays";
import { createMemberStore } from "@tranche/shared/accounts/member-store";
import type { Plans } from "@tranche/shared/accounts/plans";
import { readFeedState } from "@tranche/shared/protocol/feed/state";
import type { WebhookJob } from "@tranche/shared/protocol/queue/queues";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import type { Settings } from "@tranche/shared/process/settings";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import type { Queue } from "bullmq";
import { urlRules, type UrlSettings } from "./webhook-url.ts";
import { createDeliveryLog, type Delivery, sentAgain } from "./delivery-log.ts";
import { createProgressStore, type From, fromNow, type Progress } from "./progress.ts";
import { newSecret, rotated, sealSecret, withdrawn } from "./secrets.ts";
import { createFollowStore } from "./follow-store.ts";
import { createWebhookFilters } from "./followed-lists.ts";
import { createStarts } from "./starts.ts";
import { FEED_OF_LIST, type StoredSecret, type Webhook, WebhookError, type WebhookList } from "./webhook.ts";
import { createWebhookStore, noWebhook } from "./webhook-store.ts";
import { type Begin, createAllowance } from "./allowance.ts";
import { createCreateWebhook, type CreateWebhook } from "./creation.ts";
import { createPausing, type Pausing } from "./pausing.ts";
import { createReceiversOf } from "./receivers.ts";
import { removeWebhook } from "./removal.ts";
import { createSending, type Sent } from "./sending.ts";

/** The operations on webhooks, in the dashboard or with `ops`. Each rejects with a WebhookError for people. */
export type Webhooks = Pausing & {
  /**
   * The secret is shown once. The webhook is pending until it is resumed and its receiver answers the challenge, for which it needs the
   * secret.
   */
  create: CreateWebhook;
  /** Those of an account, the oldest first. */
  ofAccount(handle: string): Promise<Webhook[]>;
  find(id: string): Promise<{ webhook: Webhook; progress: Progress | undefined }>;
  /** A new secret, shown once. The one before signs beside it for 24 hours. `mayStay` is asked before anybody learns the secret. */
  rotate(id: string, mayStay?: MayStay): Promise<{ webhook: Webhook; secret: string }>;
  remove(id: string): Promise<void>;
  test(id: string): Promise<Sent>;
  /** The documents of an earlier delivery, as they are now. */
  resend(id: string, delivery: string): Promise<Sent>;
  /** The newest first. */
  deliveries(id: string, limit: number): Promise<Delivery[]>;
};

type WebhookSettings = UrlSettings & Pick<Settings, "TRANCHE_WEBHOOK_KEY" | "TRANCHE_NAMESPACE">;

/** `actor`: as the audit log names it. */
export function createWebhooks(parts: {
  client: Client;
  redis: RedisClient;
  names: IndexNames;
  queue: Queue<WebhookJob>;
  settings: WebhookSettings;
  plans: () => Plans;
  dealTypes: DealTypes;
  actor: string;
}): Webhooks {
  const { client, redis, names, queue, settings, actor } = parts;
  const store = createWebhookStore(client, names.accounts, { actor });
  const progress = createProgressStore(client, names.deliveries);
  const starts = createStarts(client, names.accounts);
  const log = createDeliveryLog(client, names.deliveries);
  const filters = createWebhookFilters(parts.dealTypes);
  const allowance = createAllowance(parts.plans);

  const sealingKey = (): Buffer => {
    const { TRANCHE_WEBHOOK_KEY: key } = settings;
    if (key) return key;
    throw new WebhookError(
      "Webhooks are off: their secrets have no key. Set TRANCHE_WEBHOOK_KEY, the same for the indexers, the dashboard and ops; `openssl rand -base64 32` makes one.",
    );
  };
  const found = async (id: string): Promise<Webhook> => {
    const webhook = await store.find(id);
    if (!webhook) throw noWebhook(id);
    return webhook;
  };
  const sending = createSending(queue, async (webhook) => {
    sealingKey();
    await found(webhook);
  });
  const remove = async (id: string): Promise<void> => {
    const { account, status } = await removeWebhook({ webhooks: store, deliveries: log }, id);
    // It never got anything, and never will.
    if (status === "pending") await starts.withdraw(account, id);
  };
  const placeOf = async (from: Begin, list: WebhookList): Promise<From> =>
    from === "start" ? from : fromNow(await readFeedState(redis, settings.TRANCHE_NAMESPACE, FEED_OF_LIST[list]));

  const receiversOf = createReceiversOf(
    store,
    createFollowStore(client, names, { actor }),
    createMemberStore(client, names),
  );
  const rules = urlRules(settings);
  return {
    create: createCreateWebhook({
      store,
      receiversOf,
      progress,
      starts,
      filters,
      rules,
      allowance,
      sealingKey,
      remove,
    }),
    ...createPausing({ store, receiversOf, progress, starts, allowance, sending, found, placeOf }),
    ofAccount: (handle) => store.ofAccount(handle),
    async find(id) {
      return { webhook: await found(id), progress: (await progress.read(id))?.progress };
    },
    async rotate(id, mayStay) {
      const key = sealingKey();
      const secret = newSecret();
      const sealed = sealSecret(key, id, secret);
      let before: StoredSecret[] = [];
      const webhook = await store.change(id, "webhook.rotate", ({ secrets }) => {
        before = secrets;
        return { secrets: rotated(secrets, sealed, Date.now()) };
      });
      const takeBack = () =>
        store.change(id, "webhook.rotate", ({ secrets }) => ({ secrets: withdrawn(secrets, sealed, before) }));
      if (mayStay) await assertStays(mayStay, takeBack);
      return { webhook, secret };
    },
    remove,
    test: (id) => sending.send(id, { purpose: "test" }),
    async resend(id, delivery) {
      await sentAgain(log, id, delivery);
      return sending.send(id, { purpose: "resend", delivery });
    },
    async deliveries(id, limit) {
      await found(id);
      return log.newest(id, limit);
    },
  };
}
