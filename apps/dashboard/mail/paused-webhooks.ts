import { hash } from "node:crypto";
import type { AccountStore } from "@tranche/shared/accounts/account-store";
import type { Logger } from "@tranche/shared/log/logger";
import type { MemberStore } from "@tranche/shared/members/member-store";
import type { RedisClient } from "@tranche/shared/redis/connect";
import { PAUSED_BY_OWNER, type Webhook } from "@tranche/webhooks/subscriptions/webhook";
import type { WebhookStore } from "@tranche/webhooks/subscriptions/webhook-store";
import type { Mailer } from "./mailer.ts";
import { pausedWebhookMail } from "./paused-webhook-mail.ts";

const LOOK_EVERY_MS = 10_000;
/** Nobody gets mail about a webhook that was paused longer ago, such as before there was a mail server. */
const NEWS_MS = 7 * 86_400_000;
/** A mail that is claimed and not sent is tried again after so long. */
const CLAIMED_S = 120;
const SENT_S = (2 * NEWS_MS) / 1000;

export type PausedWebhooksParts = {
  webhooks: Pick<WebhookStore, "paused">;
  accounts: Pick<AccountStore, "account">;
  members: Pick<MemberStore, "ofAccount">;
  mailer: Mailer;
  /** Which mails are sent, for all dashboards of an installation. */
  redis: Pick<RedisClient, "set">;
  namespace: string;
  /** The address of a webhook's page. */
  pageOf: (webhook: string) => string;
  log: Logger;
};

/**
 * Mails the members of an account once when the service has paused a webhook of theirs. What a mail server does not take is tried again
 * two minutes later. Returns a function that stops it.
 */
export function startPausedWebhookMails(parts: PausedWebhooksParts): () => void {
  const look = async () => {
    try {
      for (const webhook of await parts.webhooks.paused()) await tellMembers(parts, webhook);
    } catch (error) {
      parts.log.warn({ reason: (error as Error).message }, "webhooks that were paused could not be looked for");
    }
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => void (looking = looking.then(look)), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

async function tellMembers(parts: PausedWebhooksParts, webhook: Webhook): Promise<void> {
  const { webhook_id, account: handle, reason, paused_at: at = webhook.changed_at } = webhook;
  if (reason === PAUSED_BY_OWNER || Date.now() - Date.parse(at) > NEWS_MS) return;
  const account = await parts.accounts.account(handle);
  if (!account || account.status === "deleted") return;
  const page = parts.pageOf(webhook_id);
  for (const { email } of await parts.members.ofAccount(handle)) {
    const key = `${parts.namespace}:paused-webhook:${webhook_id}:${at}:${hash("sha256", email)}`;
    if ((await parts.redis.set(key, "claimed", "EX", CLAIMED_S, "NX")) === null) continue;
    try {
      await parts.mailer.send(pausedWebhookMail(email, webhook, { account: account.name, page }));
      await parts.redis.set(key, "sent", "EX", SENT_S);
    } catch (error) {
      parts.log.error({ err: error, webhook: webhook_id }, "a mail about a paused webhook could not be sent");
    }
  }
}
