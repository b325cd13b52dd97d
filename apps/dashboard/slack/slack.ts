import type { Account } from "@tranche/shared/accounts/account";
import type { Logger } from "@tranche/shared/process/logger";
import type { Allowance } from "@tranche/webhooks/allowance";
import type { Follow } from "@tranche/webhooks/follow";
import type { ReceiversOf } from "@tranche/webhooks/receivers";
import { openSecret } from "@tranche/webhooks/secrets";
import type { InSlack } from "../mail/tell-digests.ts";
import { digestMessage, greeting } from "./message.ts";
import type { PostToSlack } from "./post.ts";

/** Follows in Slack. */
export type Slack = InSlack & {
  /** Seals their addresses. */
  key: Buffer;
  /** Throws a WebhookError when the plan of an account has no room for one more. `own`: the id of one that is there already. */
  assertRoom: (account: Pick<Account, "account" | "plan">, own?: string) => Promise<void>;
  /** Posts the first message to an address. Returns why it can't be, for people. */
  greet: (url: string, follow: Pick<Follow, "name" | "member" | "every">) => Promise<string | undefined>;
};

/** `dashboard`: its address. */
export function createSlack({
  key,
  post,
  dashboard,
  receiversOf,
  allowance,
  log,
}: {
  key: Buffer;
  post: PostToSlack;
  dashboard: string;
  receiversOf: ReceiversOf;
  allowance: Pick<Allowance, "assertRoom">;
  log: Logger;
}): Slack {
  return {
    key,
    async assertRoom({ account, plan }, own) {
      const others = (await receiversOf(account)).filter(({ id }) => id !== own);
      allowance.assertRoom(others.length, plan, "it has so many. Delete one first.");
    },
    async greet(url, follow) {
      const posted = await post(url, greeting(follow, dashboard));
      if (posted === "posted") return undefined;
      return "refused" in posted ? posted.refused : `${posted.later} Try again later.`;
    },
    async tell(follow, digest) {
      const { follow_id, slack = "" } = follow;
      const url = openSecret(key, follow_id, slack);
      if (url === undefined) {
        log.error({ follow: follow_id }, "the address of a follow in Slack was stored with another key");
        return { refused: "The address can't be read any more. End this and follow again." };
      }
      const posted = await post(url, digestMessage(follow, digest, dashboard));
      if (posted === "posted") return "told";
      if ("refused" in posted) return { refused: `${posted.refused} Resume it when that is mended, or follow again.` };
      log.warn({ follow: follow_id, reason: posted.later }, "a digest could not be posted to Slack");
      return posted.isAway ? "away" : "later";
    },
  };
}
