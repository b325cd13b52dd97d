import { setTimeout as pause } from "node:timers/promises";
import type { AccountStore } from "@tranche/shared/accounts/account-store";
import type { MemberStore } from "@tranche/shared/accounts/member-store";
import type { SignIns } from "@tranche/shared/accounts/sign-ins";
import type { Logger } from "@tranche/shared/process/logger";
import type { Timing } from "@tranche/shared/process/timing";
import type { Digest, DigestStore, ReadDigest } from "@tranche/webhooks/digest-store";
import { type Follow, hasEnded, type Way } from "@tranche/webhooks/follow";
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

/** How a digest went. `later`: it is tried again. `away`: so are the others that go the same way, because nothing answers there. `refused`: why its follow is paused. */
export type Told = "told" | "later" | "away" | { refused: string };

/** Tells in Slack. */
export type InSlack = { tell: (follow: Follow, digest: Digest) => Promise<Told> };

export type TellDigestsParts = {
  follows: Pick<FollowStore, "find" | "change" | "remove">;
  digests: DigestStore;
  accounts: Pick<AccountStore, "account">;
  members: Pick<MemberStore, "one">;
  signIns: Pick<SignIns, "among">;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  /** Undefined without the key that encrypts addresses of Slack. */
  slack: InSlack | undefined;
  urlsOf: (follow: Pick<Follow, "follow_id" | "unsubscribe">) => DigestUrls;
  log: Logger;
  timing: Timing;
  now: () => number;
};

/**
 * Sends the digests of follows by mail or to Slack, each once. A process claims a digest before it sends it, so only one of several dashboards
 * sends it. A kill between sending and marking it as sent makes it arrive once more. Returns a function that stops the sending.
 */
export function startTellingDigests(parts: TellDigestsParts): () => Promise<void> {
  const { digests, mailer, slack, now } = parts;
  let forgetAt = 0;
  const forget = async () => {
    if (now() < forgetAt) return;
    forgetAt = now() + FORGET_EVERY_MS;
    await digests.forget(new Date(now() - KEPT_MS));
  };
  const stopping = new AbortController();
  const until = stopping.signal;
  // Each by itself: whatever Slack answers, and however slowly, holds up no mail. Another dashboard may have the way that this one lacks.
  const jobs = [
    ...(mailer ? [() => tellAll(parts, "mail", until)] : []),
    ...(slack ? [() => tellAll(parts, "slack", until)] : []),
    forget,
  ];
  const running = jobs.map((job) => repeat(parts, job, until));
  return async () => {
    stopping.abort();
    await Promise.all(running);
  };
}

async function repeat({ log, timing }: TellDigestsParts, job: () => Promise<void>, until: AbortSignal): Promise<void> {
  for (;;) {
    await pause(timing.followsLook, undefined, { signal: until }).catch(() => {});
    if (until.aborted) return;
    try {
      await job();
    } catch (error) {
      log.warn({ reason: (error as Error).message }, "digests can't be told now; trying again");
    }
  }
}

/** Tells those of one way that are not claimed, until nothing answers there. */
async function tellAll(parts: TellDigestsParts, way: Way, until: AbortSignal): Promise<void> {
  for (const read of await parts.digests.unsent({ claimedBefore: new Date(parts.now() - CLAIMED_MS), way })) {
    if (until.aborted || (await tellOne(parts, read)) === "away") return;
  }
}

/** Returns how it went; undefined when it was not for this process to tell, or nobody wants it. */
async function tellOne(parts: TellDigestsParts, read: ReadDigest): Promise<Told | undefined> {
  const { digests, slack, log } = parts;
  const now = parts.now();
  const { digest } = read;
  const claimed = await digests.claim(read, new Date(now));
  if (!claimed) return undefined;
  const follow = await wanted(parts, digest.webhook);
  if (follow === "later") return follow;
  const isOld = now - Date.parse(digest.at) > NEWS_MS;
  if (!follow || isOld) {
    if (follow) log.error({ follow: digest.webhook }, "a digest could not be told for a week, and is dropped");
    await digests.sent(claimed);
    return undefined;
  }
  const told = follow.slack === undefined ? await byMail(parts, follow, read) : await slack!.tell(follow, digest);
  if (told === "told") await digests.sent(claimed);
  // It waits until its follow is resumed.
  if (typeof told === "object") {
    await parts.follows.change(follow.follow_id, { status: "paused", reason: told.refused.slice(0, 500) });
  }
  return told;
}

async function byMail(
  { mailer, urlsOf, log }: TellDigestsParts,
  follow: Follow,
  { id, digest }: ReadDigest,
): Promise<Told> {
  try {
    const urls = urlsOf(follow);
    const { host } = new URL(urls.dashboard);
    await mailer!.send({ ...digestMail(follow, digest, urls), messageId: `<${messageName(id)}@${host}>` });
    return "told";
  } catch (error) {
    const [refusal] = (error as MailError).rejectedErrors ?? [];
    log.error({ err: error, follow: follow.follow_id }, "a digest could not be mailed");
    // Everything but a refused address is the service's trouble, and passes.
    if (!refusal?.responseCode || refusal.responseCode < REFUSED_FOR_GOOD) return "later";
    return {
      refused: `The mail server refuses mails to ${follow.member}: ${refusal.response ?? refusal.responseCode}`,
    };
  }
}

const messageName = (id: string) => Buffer.from(id).toString("base64url");

/**
 * Finds the follow of a digest, if it may be told: mails go to an address that has signed in; "later" while it is paused or the account is suspended. Ends a
 * follow whose member was removed, even if the same address was added again.
 */
async function wanted(parts: TellDigestsParts, id: string): Promise<Follow | "later" | undefined> {
  const follow = await parts.follows.find(id);
  if (!follow) return undefined;
  const { account, member } = follow;
  const found = await parts.members.one(account, member);
  if (hasEnded(follow, found)) {
    await parts.follows.remove(follow);
    return undefined;
  }
  const owner = await parts.accounts.account(account);
  if (owner?.status === "suspended" || follow.status === "paused") return "later";
  const mayGetIt = follow.slack !== undefined || (await parts.signIns.among([member], account)).has(member);
  return owner?.status === "active" && mayGetIt ? follow : undefined;
}
