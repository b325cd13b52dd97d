import type { Plans } from "@tranche/shared/accounts/plans";
import { type Webhook, WebhookError } from "../subscriptions/webhook.ts";

const DAY_MS = 86_400_000;

/** Where deliveries begin: with what changes from now on, or with everything there is. */
export type Begin = "now" | "start";

/** Webhooks that an account may have at once. */
export const maxWebhooks = (plans: Plans, plan: string): number => plans[plan]?.webhooks ?? 0;

/** What the plan of an account allows. Throws a WebhookError for people. */
export type Allowance = {
  assertMayBegin(from: Begin | undefined, plan: string): void;
  /** Whether a webhook may begin at the start again, which sends everything there is: once in 24 hours. `now` in ms. */
  assertMayStart(webhook: Pick<Webhook, "started_at">, now: number): void;
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
    assertMayStart({ started_at }, now) {
      const again = started_at === undefined ? now : Date.parse(started_at) + DAY_MS;
      if (now >= again) return;
      const at = new Date(again).toISOString();
      throw new WebhookError(
        `A webhook may begin at the start once in 24 hours, and this one did at ${started_at}. It may again from ${at} on. Resume it where it stopped, or from now.`,
      );
    },
    assertRoom(count, plan, what) {
      const most = maxWebhooks(plans(), plan);
      if (count < most) return;
      throw new WebhookError(
        most === 0
          ? "The plan of the account has no webhooks."
          : `The plan of the account allows ${most === 1 ? "1 webhook" : `${most} webhooks`}, and ${what}`,
      );
    },
  };
}
