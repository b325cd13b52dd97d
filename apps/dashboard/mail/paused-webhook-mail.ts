import { hasLostItsPlace, type Webhook } from "@tranche/webhooks/webhook";
import { letter, oneLine, withoutAddresses } from "./letter.ts";
import type { Mail } from "./mailer.ts";

/** The mail to a member of an account, one of whose webhooks the service has paused. `page`: where it is resumed. */
export function pausedWebhookMail(
  to: string,
  webhook: Pick<Webhook, "name" | "status" | "reason">,
  { account, page }: { account: string; page: string },
): Mail {
  const name = withoutAddresses(webhook.name);
  return letter(to, "A webhook is paused", [
    `The webhook “${name}” of the account ${oneLine(account)} is paused, so its receiver gets no changes.`,
    `Why: ${withoutAddresses(webhook.reason ?? "not known")}`,
    ...(hasLostItsPlace(webhook)
      ? []
      : ["When you resume it within 30 days, it goes on where it stopped, and nothing is missed."]),
    { title: "Look at its deliveries and resume it", link: `Open “${name}”`, url: page },
  ]);
}
