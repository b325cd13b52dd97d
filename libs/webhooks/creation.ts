import { randomUUID } from "node:crypto";
import type { Account } from "@tranche/shared/accounts/account";
import { assertStays, type MayStay } from "@tranche/shared/accounts/assert-stays";
import { problemOfUrl, type UrlRules } from "./webhook-url.ts";
import type { ProgressStore } from "./progress.ts";
import { newSecret, sealSecret } from "./secrets.ts";
import type { WebhookFilters } from "./followed-lists.ts";
import type { ReceiversOf } from "./receivers.ts";
import type { Starts } from "./starts.ts";
import { type Webhook, WebhookError, type WebhookList } from "./webhook.ts";
import type { WebhookStore } from "./webhook-store.ts";
import type { Allowance, Begin } from "./allowance.ts";

/** Why a new webhook is pending. */
const NOT_ASKED = "The receiver was not asked yet. Give it the secret, then ask it.";

type WebhookInput = {
  account: Pick<Account, "account" | "plan" | "status">;
  name: string;
  list: WebhookList;
  query: string;
  url: string;
  from: Begin;
  created_by: string;
  /** Throws when the webhook may not stay, because who made it was removed meanwhile. */
  mayStay?: MayStay;
};

/** Creates a webhook, which is pending: its receiver needs the secret to answer a challenge. The secret is shown once. */
export type CreateWebhook = (input: WebhookInput) => Promise<{ webhook: Webhook; secret: string }>;

/** `sealingKey` throws when webhooks are off. `remove`: takes a webhook back that may not stay. */
export function createCreateWebhook(parts: {
  store: WebhookStore;
  receiversOf: ReceiversOf;
  progress: ProgressStore;
  starts: Pick<Starts, "ofAccount">;
  filters: WebhookFilters;
  rules: UrlRules;
  allowance: Allowance;
  sealingKey: () => Buffer;
  remove: (id: string) => Promise<void>;
}): CreateWebhook {
  const { store, receiversOf, progress, starts, filters, rules, allowance, sealingKey, remove } = parts;
  return async ({ account, name, list, query, url, from, created_by, mayStay }) => {
    const key = sealingKey();
    const handle = account.account;
    if (account.status !== "active") throw new WebhookError(`The account '${handle}' is ${account.status}.`);
    allowance.assertMayBegin(from, account.plan);
    const canonical = filters.canonical(list, query);
    const problem = problemOfUrl(url, rules);
    if (problem) throw new WebhookError(problem, [{ parameter: "url", message: problem }]);
    const others = async (own?: string) => (await receiversOf(handle)).filter(({ id }) => id !== own).length;
    const full = "it has so many. Delete one first.";
    allowance.assertRoom(await others(), account.plan, full);
    // It is claimed when the receiver is asked: nothing is sent before.
    if (from === "start") {
      allowance.assertMayStart(await starts.ofAccount(handle), undefined, account.plan, Date.now());
    }
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
      reason: NOT_ASKED,
      created_at: at,
      created_by,
      changed_at: at,
    };
    // First: a webhook without a place to begin would be paused.
    await progress.begin({ webhook: webhook_id, account: handle }, from);
    await store.create(webhook);
    const mayStayHere = async () => {
      allowance.assertRoom(await others(webhook_id), account.plan, full);
      await mayStay?.();
    };
    await assertStays(mayStayHere, () => remove(webhook_id));
    return { webhook, secret };
  };
}
