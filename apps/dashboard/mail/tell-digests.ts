import type { AccountStore } from "@tranche/shared/accounts/account-store";
import type { MemberStore } from "@tranche/shared/accounts/member-store";
import type { SignIns } from "@tranche/shared/accounts/sign-ins";
import type { Logger } from "@tranche/shared/process/logger";
import type { Timing } from "@tranche/shared/process/timing";
import type { DigestStore, ReadDigest } from "@tranche/webhooks/digest-store";
import { type Follow, isFromBefore } from "@tranche/webhooks/follow";
import type { FollowStore } from "@tranche/webhooks/follow-store";
import { digestMail, type DigestUrls } from "./digest-mail.ts";
import type { Mailer } from "./mailer.ts";

/** A digest that is claimed and not sent is tried again after so long: whoever claimed it was killed, or the mail server is away. */
export const CLAIMED_MS = 120_000;
/** Nobody gets a digest that could not be mailed for so long. */
const NEWS_MS = 7 * 86_400_000;
/** Longer than any digest may wait, and than the day in which mails are counted. */
const KEPT_MS = 8 * 86_400_000;
const FORGET_EVERY_MS = 3_600_000;
/** From this status on, a mail server refuses a recipient for good. */
const REFUSED_FOR_GOOD = 500;

type MailError = Error & { rejectedErrors?: readonly { responseCode?: number; response?: string }[] };

export type FollowMailsParts = {
  follows: Pick<FollowStore, "find" | "change" | "remove">;
  digests: DigestStore;
  accounts: Pick<AccountStore, "account">;
  members: Pick<MemberStore, "one">;
  signIns: Pick<SignIns, "among">;
  mailer: Mailer;
  urlsOf: (follow: Pick<Follow, "follow_id" | "unsubscribe">) => DigestUrls;
  log: Logger;
  timing: Timing;
  now: () => number;
};

/**
 * Mails the digests of follows, each once. It is claimed before it is mailed, so of several dashboards one mails it; after a kill in between it
 * is mailed once more. Returns a function that stops it.
 */
export function startFollowMails(parts: FollowMailsParts): () => Promise<void> {
  let forgetAt = 0;
  let stopped = false;
  const look = async () => {
    try {
      for (const read of await parts.digests.unsent(new Date(parts.now() - CLAIMED_MS))) {
        if (stopped) return;
        await mailOne(parts, read);
      }
      if (parts.now() < forgetAt) return;
      forgetAt = parts.now() + FORGET_EVERY_MS;
      await parts.digests.forget(new Date(parts.now() - KEPT_MS));
    } catch (error) {
      parts.log.warn({ reason: (error as Error).message }, "digests can't be mailed now; trying again");
    }
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => void (looking = looking.then(look)), parts.timing.followsLook);
  return async () => {
    stopped = true;
    clearInterval(timer);
    await looking;
  };
}

async function mailOne(parts: FollowMailsParts, read: ReadDigest): Promise<void> {
  const { digests, log } = parts;
  const now = parts.now();
  const { digest } = read;
  const claimed = await digests.claim(read, new Date(now));
  if (!claimed) return;
  const follow = await wanted(parts, digest.webhook);
  if (follow === "later") return;
  const isOld = now - Date.parse(digest.at) > NEWS_MS;
  if (!follow || isOld) {
    if (follow) log.error({ follow: digest.webhook }, "a digest could not be mailed for a week, and is dropped");
    return digests.sent(claimed);
  }
  try {
    const urls = parts.urlsOf(follow);
    const { host } = new URL(urls.dashboard);
    await parts.mailer.send({ ...digestMail(follow, digest, urls), messageId: `<${messageName(read.id)}@${host}>` });
  } catch (error) {
    const [refusal] = (error as MailError).rejectedErrors ?? [];
    log.error({ err: error, follow: follow.follow_id }, "a digest could not be mailed");
    // Everything but a refused address is the service's trouble, and passes.
    if (!refusal?.responseCode || refusal.responseCode < REFUSED_FOR_GOOD) return;
    const reason = `The mail server refuses mails to ${follow.member}: ${refusal.response ?? refusal.responseCode}`;
    await parts.follows.change(follow.follow_id, { status: "paused", reason: reason.slice(0, 500) });
  }
  await digests.sent(claimed);
}

const messageName = (id: string) => Buffer.from(id).toString("base64url");

/**
 * Finds the follow of a digest, if its member may get mails; "later" while the account is suspended. Ends a follow whose member was removed,
 * even if the same address was added again.
 */
async function wanted(parts: FollowMailsParts, id: string): Promise<Follow | "later" | undefined> {
  const follow = await parts.follows.find(id);
  if (follow?.status !== "active") return undefined;
  const { account, member } = follow;
  const found = await parts.members.one(account, member);
  if (!found || isFromBefore(follow, found)) {
    await parts.follows.remove(follow);
    return undefined;
  }
  const owner = await parts.accounts.account(account);
  if (owner?.status === "suspended") return "later";
  const hasSignedIn = (await parts.signIns.among([member], account)).has(member);
  return owner?.status === "active" && hasSignedIn ? follow : undefined;
}
