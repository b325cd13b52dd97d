import type { Plans } from "@tranche/shared/accounts/plans";
import { afterStart, ofLastDay, type Start } from "./starts.ts";
import { type Webhook, WebhookError } from "./webhook.ts";

/** Where deliveries begin: with what changes from now on, or with everything there is. */
export type Begin = "now" | "start";

/** Webhooks and follows in Slack that an account may have at once. */
export const maxWebhooks = (plans: Plans, plan: string): number => plans[plan]?.webhooks ?? 0;

/** The limits of an account's plan. Throws a WebhookError for people. */
export type Allowance = {
  assertMayBegin(from: Begin | undefined, plan: string): void;
  /**
   * Whether a webhook may begin at the start, which sends everything there is: a webhook once in 24 hours, those of an account as often as
   * it may have webhooks. One that is pending got nothing, so its own start does not count. `webhook`: undefined before it is created.
   * `now`: ms.
   */
  assertMayStart(
    starts: readonly Start[],
    webhook: Pick<Webhook, "webhook_id" | "status"> | undefined,
    plan: string,
    now: number,
  ): void;
  /** `count`: the number of webhooks that exist. `what`: the end of the error text, with the reason and what to do about it. */
  assertRoom(count: number, plan: string, what: string): void;
};

export function createAllowance(plans: () => Plans): Allowance {
  return {
    assertMayBegin(from, plan) {
      if (from !== "start" || plans()[plan]?.export !== false) return;
      throw new WebhookError(
        "The plan has no exports, and a webhook that begins at the start sends everything there is. Begin now.",
      );
    },
    assertMayStart(starts, webhook, plan, now) {
      const counted = ofLastDay(starts, now);
      const own = counted.find(({ webhook_id }) => webhook_id === webhook?.webhook_id);
      if (own && webhook?.status !== "pending") {
        throw new WebhookError(
          `A webhook may begin at the start once in 24 hours, and this one did at ${own.at}. ${fromThen(own)} Resume it where it stopped, or from now.`,
        );
      }
      const others = counted.filter((each) => each !== own).toSorted((a, b) => (a.at < b.at ? -1 : 1));
      const most = Math.max(1, maxWebhooks(plans(), plan));
      if (others.length < most) return;
      throw new WebhookError(
        `The webhooks of an account may begin at the start as often in 24 hours as its plan has webhooks, deleted ones included. Those of this account did ${others.length === 1 ? "once" : `${others.length} times`}. ${fromThen(others.at(-most)!)} Begin now.`,
      );
    },
    assertRoom(count, plan, what) {
      const most = maxWebhooks(plans(), plan);
      if (count < most) return;
      throw new WebhookError(
        most === 0
          ? "The plan of the account has no webhooks, nor follows in Slack."
          : `The plan of the account allows ${most === 1 ? "1 webhook or follow in Slack" : `${most} webhooks and follows in Slack together`}, and ${what}`,
      );
    },
  };
}

/** From when on it is possible again, because this start does not count any more. */
const fromThen = (start: Start): string => `It may again from ${new Date(afterStart(start)).toISOString()} on.`;
