import { problemOfUrl, type UrlRules } from "@tranche/webhooks/webhook-url";

const WEBHOOK = /^https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9]+\/[A-Za-z0-9]+\/[A-Za-z0-9]+$/;

/**
 * Why nothing is posted to an address, for people; undefined when it may be. Where webhooks go to any address, any host may understand the
 * messages of Slack. The address is a secret, so no text repeats it.
 */
export function problemOfSlackAddress(text: string, rules: UrlRules): string | undefined {
  if (rules.targets === "public" && !WEBHOOK.test(text)) {
    return "This is not the address of an incoming webhook of Slack. Expected https://hooks.slack.com/services/… with its three parts, as Slack shows it under “Incoming Webhooks”.";
  }
  return URL.canParse(text)
    ? problemOfUrl(text, rules)
    : "This is not an address. Expected one that begins with https://.";
}
