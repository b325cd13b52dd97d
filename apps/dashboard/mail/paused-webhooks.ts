import { hash } from "node:crypto";
import type { Account, AccountStore } from "@tranche/shared/accounts/account-store";
import type { Logger } from "@tranche/shared/process/logger";
import type { MemberStore } from "@tranche/shared/accounts/member-store";
import type { SignIns } from "@tranche/shared/accounts/sign-ins";
import type { Timing } from "@tranche/shared/process/timing";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { PAUSED_BY_OWNER, type Webhook } from "@tranche/webhooks/webhook";
import type { WebhookStore } from "@tranche/webhooks/webhook-store";
import type { Limits } from "../requests/limits.ts";
import type { Mailer } from "./mailer.ts";
import { pausedWebhookMail } from "./paused-webhook-mail.ts";

/** Nobody gets mail about a webhook that was paused longer ago, such as before there was a mail server. */
const NEWS_MS = 7 * 86_400_000;
/** A mail that is claimed and not sent is tried again after so long. */
const CLAIMED_S = 120;
/** So long nobody gets another mail about the same webhook, however often it is paused. */
const QUIET_S = 6 * 3600;
const SENT_S = (2 * NEWS_MS) / 1000;

export type PausedWebhooksParts = {
  webhooks: Pick<WebhookStore, "paused">;
  accounts: Pick<AccountStore, "account">;
  members: Pick<MemberStore, "ofAccount">;
  signIns: Pick<SignIns, "among">;
  limits: Limits;
  mailer: Mailer;
  /** The marks of mails that are sent, for all dashboards of an installation. */
  redis: Pick<RedisClient, "set" | "exists">;
  namespace: string;
  /** The address of a webhook's page. */
  pageOf: (webhook: string) => string;
  log: Logger;
  timing: Timing;
};

/**
 * Mails the members of an account once when the service has paused a webhook of theirs. Whoever has not signed in yet has agreed to nothing
 * and gets no mail; neither does anybody twice in six hours about one webhook, or past the daily limits. What a mail server does not take
 * is tried again two minutes later. Returns a function that stops it.
 */
export function startPausedWebhookMails(parts: PausedWebhooksParts): () => void {
  const look = async () => {
    try {
      const news = (await parts.webhooks.paused()).filter(isNews);
      for (const [handle, webhooks] of Map.groupBy(news, ({ account }) => account)) {
        await tellMembers(parts, handle, webhooks);
      }
    } catch (error) {
      parts.log.warn({ reason: (error as Error).message }, "webhooks that were paused could not be looked for");
    }
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => void (looking = looking.then(look)), parts.timing.pausedWebhooksLook);
  return () => clearInterval(timer);
}

const isNews = ({ reason, paused_at }: Webhook): boolean =>
  reason !== PAUSED_BY_OWNER && Date.now() - Date.parse(paused_at!) <= NEWS_MS;

/** Reads an account, its members and their sign-ins once, however many webhooks of it are paused. */
async function tellMembers(parts: PausedWebhooksParts, handle: string, webhooks: readonly Webhook[]): Promise<void> {
  const account = await parts.accounts.account(handle);
  if (!account || account.status === "deleted") return;
  const members = await parts.members.ofAccount(handle);
  const pairs = webhooks.flatMap((webhook) => members.map(({ email }) => ({ webhook, email })));
  const told = await Promise.all(pairs.map(({ webhook, email }) => parts.redis.exists(toldKey(parts, webhook, email))));
  const untold = pairs.filter((_, n) => told[n] === 0);
  const signedIn = await parts.signIns.among([...new Set(untold.map(({ email }) => email))], handle);
  for (const { webhook, email } of untold) if (signedIn.has(email)) await tell(parts, webhook, { email, account });
}

/** Says that somebody knows of this pause. */
const toldKey = ({ namespace }: PausedWebhooksParts, { webhook_id, paused_at }: Webhook, email: string) =>
  `${namespace}:paused-webhook:${webhook_id}:${paused_at}:${hash("sha256", email)}`;

async function tell(
  parts: PausedWebhooksParts,
  webhook: Webhook,
  { email, account }: { email: string; account: Account },
): Promise<void> {
  const { redis, limits, log } = parts;
  const { webhook_id } = webhook;
  const quietKey = `${parts.namespace}:paused-webhook:${webhook_id}:${hash("sha256", email)}`;
  // No lease: nobody ends it, and its value becomes the mark that the mail was sent.
  if ((await redis.set(quietKey, "claimed", "EX", CLAIMED_S, "NX")) === null) return;
  try {
    await spendMail(limits, email, account.account);
  } catch (error) {
    return log.warn({ reason: (error as Error).message, webhook: webhook_id }, "a mail about a paused webhook waits");
  }
  try {
    const page = parts.pageOf(webhook_id);
    await parts.mailer.send(pausedWebhookMail(email, webhook, { account: account.name, page }));
    await redis.set(quietKey, "sent", "EX", QUIET_S);
    await redis.set(toldKey(parts, webhook, email), "sent", "EX", SENT_S);
  } catch (error) {
    await limits.giveBack("webhook_mails_to", email);
    await limits.giveBack("webhook_mails_of_account", account.account);
    log.error({ err: error, webhook: webhook_id }, "a mail about a paused webhook could not be sent");
  }
}

/** Counts a mail. The account's limit comes first: one that is past it must not use up the mails of its members for other accounts. */
async function spendMail(limits: Limits, email: string, account: string): Promise<void> {
  await limits.spend("webhook_mails_of_account", account);
  try {
    await limits.spend("webhook_mails_to", email);
  } catch (error) {
    await limits.giveBack("webhook_mails_of_account", account);
    throw error;
  }
}
