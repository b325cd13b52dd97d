import type { Attempt, Post } from "@tranche/webhooks/post";
import { problemOfUrl, type UrlRules } from "@tranche/webhooks/webhook-url";
import type { SlackMessage } from "./message.ts";

/** How a message went: it is in the channel; Slack wants none for good, with the reason for people; or it is to be tried later; `isAway`: nothing answers. */
export type Posted = "posted" | { refused: string } | { later: string; isAway: boolean };

/** Posts a message to the address of an incoming webhook. Never rejects. */
export type PostToSlack = (url: string, message: SlackMessage) => Promise<Posted>;

export function createPostToSlack(post: Post, rules: UrlRules): PostToSlack {
  return async (url, message) => {
    // The settings may be stricter than when it was given.
    const refused = problemOfSlackAddress(url, rules);
    return refused === undefined ? postedBy(await post(url, JSON.stringify(message))) : { refused };
  };
}

/** The answers of Slack where nothing can be posted any more. */
const REASONS: Readonly<Record<string, string>> = {
  no_service: "its incoming webhook was removed or is off",
  no_active_hooks: "its incoming webhook is off",
  no_team: "the workspace is gone",
  team_disabled: "the workspace is closed",
  channel_not_found: "the channel is gone",
  channel_is_archived: "the channel is archived",
  action_prohibited: "an administrator of the workspace forbids it",
  posting_to_general_channel_denied: "the workspace forbids it in this channel",
  invalid_token: "the address is wrong or was withdrawn",
};
const REQUEST_TIMEOUT = 408;
const TOO_MANY = 429;

/** The meaning of an answer. A code that Slack does not document is shown as it is; any other text is not. */
export function postedBy({
  delivered,
  status,
  reason,
  answer,
}: Pick<Attempt, "delivered" | "status" | "reason" | "answer">): Posted {
  if (delivered) return "posted";
  if (status === null) return { later: reason!, isAway: true };
  if (status >= 300 && status < 400) return { refused: "The address redirects, and redirects are not followed." };
  if (status >= 500 || status === REQUEST_TIMEOUT || status === TOO_MANY) {
    return { later: `Slack answered ${status}.`, isAway: false };
  }
  const code = /^[a-z_]{1,40}$/.exec(answer.trim())?.[0];
  const known = code === undefined ? undefined : REASONS[code];
  const shown = code === undefined ? String(status) : `${status} ${code}`;
  return { refused: known === undefined ? `Slack answered ${shown}.` : `Slack answered ${shown}: ${known}.` };
}

const WEBHOOK = /^https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9]+\/[A-Za-z0-9]+\/[A-Za-z0-9]+$/;

/**
 * Why nothing is posted to an address, for people; undefined when it may be. Where webhooks go to any address, any host may understand the
 * messages of Slack. The address is a secret, so no text repeats it.
 */
function problemOfSlackAddress(text: string, rules: UrlRules): string | undefined {
  if (rules.targets === "public" && !WEBHOOK.test(text)) {
    return "This is not the address of an incoming webhook of Slack. Expected https://hooks.slack.com/services/… with its three parts, as Slack shows it under “Incoming Webhooks”.";
  }
  return URL.canParse(text)
    ? problemOfUrl(text, rules)
    : "This is not an address. Expected one that begins with https://.";
}
