import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import type { Account } from "@tranche/shared/accounts/account";
import type { Plans } from "@tranche/shared/accounts/plans";
import { readFeedState } from "@tranche/shared/feed/state";
import { askIndexer } from "@tranche/shared/queue/ask-indexer";
import { JOB_FORMATS } from "@tranche/shared/queue/formats";
import { deliverJobOptions, type WebhookJob } from "@tranche/shared/queue/queues";
import type { RedisClient } from "@tranche/shared/redis/connect";
import type { IndexNames } from "@tranche/shared/search/index-names";
import type { Settings } from "@tranche/shared/settings/settings";
import type { DealTypes } from "@tranche/shared/vocabulary/deal-types";
import type { Queue } from "bullmq";
import { problemOfUrl, urlRules, type UrlSettings } from "../addresses/webhook-url.ts";
import { createDeliveryLog, type Delivery, sentAgain } from "../deliveries/delivery-log.ts";
import { createProgressStore, type From, fromNow, NO_FAILURES, type Progress } from "../deliveries/progress.ts";
import { newSecret, rotated, sealSecret } from "../secrets/secrets.ts";
import { createWebhookFilters } from "../subscriptions/followed-lists.ts";
import {
  hasLostItsPlace,
  PAUSED_BY_OWNER,
  pausedAt,
  type Webhook,
  WebhookError,
  type WebhookList,
} from "../subscriptions/webhook.ts";
import { createWebhookStore, noWebhook } from "../subscriptions/webhook-store.ts";
import { removeWebhook } from "./removal.ts";

/** Longer than a receiver has for its answer, and for that to a delivery before. */
const SENT_WITHIN_MS = 25_000;

/** Where deliveries begin: with what changes from now on, or with everything there is. */
export type Begin = "now" | "start";

/** How a message went that somebody waited for, or why none was sent. */
export type Sent = { delivery: Delivery } | { unavailable: string };

/** Webhooks that an account may have at once. */
export const maxWebhooks = (plans: Plans, plan: string): number => plans[plan]?.webhooks ?? 0;

/** What people do with webhooks, in the dashboard or with `ops`. Rejects with a WebhookError for people. */
export type Webhooks = {
  /**
   * The secret is shown once. Unless the receiver answers the challenge, the webhook stays pending. Also when nobody can be asked to
   * challenge it, because the webhook is there by then.
   */
  create(input: {
    account: Pick<Account, "account" | "plan" | "status">;
    name: string;
    list: WebhookList;
    query: string;
    url: string;
    from: Begin;
    created_by: string;
  }): Promise<{ webhook: Webhook; secret: string; challenge: Sent }>;
  /** Those of an account, the oldest first. */
  ofAccount(handle: string): Promise<Webhook[]>;
  find(id: string): Promise<{ webhook: Webhook; progress: Progress | undefined }>;
  pause(id: string): Promise<Webhook>;
  /** Goes on where it stopped, or at another place. One that is pending is challenged again. */
  resume(id: string, plan: string, from?: Begin): Promise<{ webhook: Webhook; challenge?: Sent }>;
  /** A new secret, shown once. The one before signs beside it for 24 hours. */
  rotate(id: string): Promise<{ webhook: Webhook; secret: string }>;
  remove(id: string): Promise<void>;
  test(id: string): Promise<Sent>;
  /** The documents of an earlier delivery, as they are now. */
  resend(id: string, delivery: string): Promise<Sent>;
  /** The newest first. */
  deliveries(id: string, limit: number): Promise<Delivery[]>;
};

type WebhookSettings = UrlSettings & Pick<Settings, "TRANCHE_WEBHOOK_KEY" | "TRANCHE_NAMESPACE">;

/** `actor`: who does it, for the audit log. */
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
  const log = createDeliveryLog(client, names.deliveries);
  const filters = createWebhookFilters(parts.dealTypes);
  const format = JOB_FORMATS.webhooks;

  const keyOf = (): Buffer => {
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
  const send = async (webhook: string, job: Pick<WebhookJob, "purpose" | "delivery">): Promise<Sent> => {
    keyOf();
    await found(webhook);
    const answer = await askIndexer<WebhookJob, Delivery>(queue, "send", { format, webhook, ...job }, SENT_WITHIN_MS);
    return "result" in answer ? { delivery: answer.result } : answer;
  };
  const deliver = async (webhook: string): Promise<void> => {
    const { deduplication, ...options } = deliverJobOptions(webhook);
    // One that waits for its next attempt begins at once.
    await queue.add(
      "deliver",
      { format, webhook },
      { ...options, deduplication: { ...deduplication, reschedule: true } },
    );
  };
  const challenge = async (id: string): Promise<Sent> => {
    const sent = await send(id, { purpose: "challenge" });
    if ("delivery" in sent && sent.delivery.delivered) await deliver(id);
    return sent;
  };
  const assertMayBegin = (from: Begin | undefined, plan: string): void => {
    if (from !== "start" || parts.plans()[plan]?.export !== false) return;
    throw new WebhookError(
      "The plan has no exports, and a webhook that begins at the start sends everything there is. Begin now.",
    );
  };
  /** `count`: webhooks of the account, or others that are active. */
  const assertRoom = (count: number, plan: string, what: string): void => {
    const most = maxWebhooks(parts.plans(), plan);
    if (count < most) return;
    throw new WebhookError(
      most === 0
        ? "The plan of the account has no webhooks."
        : `The plan of the account allows ${most === 1 ? "1 webhook" : `${most} webhooks`}, and ${what}`,
    );
  };
  const remove = (id: string) => removeWebhook({ webhooks: store, deliveries: log }, id);
  const placeOf = async (from: Begin, list: WebhookList): Promise<From> =>
    from === "start" ? from : fromNow(await readFeedState(redis, settings.TRANCHE_NAMESPACE, list));

  return {
    async create({ account, name, list, query, url, from, created_by }) {
      const key = keyOf();
      const handle = account.account;
      if (account.status !== "active") throw new WebhookError(`The account '${handle}' is ${account.status}.`);
      assertMayBegin(from, account.plan);
      const canonical = filters.canonical(list, query);
      const problem = problemOfUrl(url, urlRules(settings));
      if (problem) throw new WebhookError(problem, [{ parameter: "url", message: problem }]);
      const others = async (id?: string) =>
        (await store.ofAccount(handle)).filter(({ webhook_id }) => webhook_id !== id).length;
      const full = "it has so many. Delete one first.";
      assertRoom(await others(), account.plan, full);
      const webhook_id = randomUUID();
      const secret = newSecret();
      const at = new Date().toISOString();
      const webhook: Webhook = {
        kind: "webhook",
        webhook_id,
        account: handle,
        name,
        list,
        query: canonical,
        url,
        secrets: [{ sealed: sealSecret(key, webhook_id, secret), expires_at: null }],
        status: "pending",
        reason: "The receiver was not asked yet.",
        created_at: at,
        created_by,
        changed_at: at,
      };
      // First: a webhook without a place to begin would be paused.
      await progress.begin({ webhook: webhook_id, account: handle }, from);
      await store.create(webhook);
      try {
        // Somebody else may have created one at the same time.
        assertRoom(await others(webhook_id), account.plan, full);
      } catch (error) {
        await remove(webhook_id);
        throw error;
      }
      const sent = await challenge(webhook_id).catch(({ message }: Error): Sent => ({ unavailable: message }));
      return { webhook: (await store.find(webhook_id).catch(() => {})) ?? webhook, secret, challenge: sent };
    },
    ofAccount: (handle) => store.ofAccount(handle),
    async find(id) {
      return { webhook: await found(id), progress: (await progress.read(id))?.progress };
    },
    pause: (id) =>
      store.change(id, "webhook.pause", ({ status }) => {
        if (status === "pending") throw new WebhookError("The webhook is pending: nothing is delivered anyway.");
        // The reason of an earlier pause says how it can be resumed.
        return status === "paused" ? {} : pausedAt(Date.now(), PAUSED_BY_OWNER);
      }),
    async resume(id, plan, from) {
      assertMayBegin(from, plan);
      const webhook = await found(id);
      const { account, list, status } = webhook;
      if (status !== "active") {
        const active = (await store.ofAccount(account)).filter((each) => each.status === "active").length;
        assertRoom(active, plan, "as many are active. Pause or delete one of them first.");
      }
      if (from) await progress.begin({ webhook: id, account }, await placeOf(from, list));
      else if (hasLostItsPlace(webhook) || !(await progress.change(id, NO_FAILURES)))
        throw new WebhookError("It can't go on where it stopped. Say where it goes on: now, or at the start.");
      if (status === "pending") {
        const sent = await challenge(id);
        return { webhook: await found(id), challenge: sent };
      }
      const resumed = await store.change(id, "webhook.resume", () => ({ status: "active", reason: null }));
      await deliver(id);
      return { webhook: resumed };
    },
    async rotate(id) {
      const key = keyOf();
      const secret = newSecret();
      const sealed = sealSecret(key, id, secret);
      const webhook = await store.change(id, "webhook.rotate", ({ secrets }) => ({
        secrets: rotated(secrets, sealed, Date.now()),
      }));
      return { webhook, secret };
    },
    remove,
    test: (id) => send(id, { purpose: "test" }),
    async resend(id, delivery) {
      await sentAgain(log, id, delivery);
      return send(id, { purpose: "resend", delivery });
    },
    async deliveries(id, limit) {
      await found(id);
      return log.newest(id, limit);
    },
  };
}
