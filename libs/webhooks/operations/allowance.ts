import type { Plans } from "@tranche/shared/accounts/plans";
import { WebhookError } from "../subscriptions/webhook.ts";

/** Where deliveries begin: with what changes from now on, or with everything there is. */
export type Begin = "now" | "start";

/** Webhooks that an account may have at once. */
export const maxWebhooks = (plans: Plans, plan: string): number => plans[plan]?.webhooks ?? 0;

/** What the plan of an account allows. Throws a WebhookError for people. */
export type Allowance = {
  assertMayBegin(from: Begin | undefined, plan: string): void;
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
