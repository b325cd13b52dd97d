import { type From, NO_FAILURES, type ProgressStore } from "../deliveries/progress.ts";
import {
  hasLostItsPlace,
  PAUSED_BY_OWNER,
  pausedAt,
  type Webhook,
  WebhookError,
  type WebhookList,
} from "../subscriptions/webhook.ts";
import type { WebhookStore } from "../subscriptions/webhook-store.ts";
import type { Allowance, Begin } from "./allowance.ts";
import type { Sending, Sent } from "./sending.ts";

export type Pausing = {
  pause(id: string): Promise<Webhook>;
  /** Goes on where it stopped, or at another place. One that is pending is challenged again. */
  resume(id: string, plan: string, from?: Begin): Promise<{ webhook: Webhook; challenge?: Sent }>;
};

/** `found` reads a webhook and rejects if it does not exist. `placeOf` returns the position at which a webhook begins. */
export function createPausing(parts: {
  store: WebhookStore;
  progress: ProgressStore;
  allowance: Allowance;
  sending: Pick<Sending, "challenge" | "deliver">;
  found: (id: string) => Promise<Webhook>;
  placeOf: (from: Begin, list: WebhookList) => Promise<From>;
}): Pausing {
  const { store, progress, allowance, sending, found, placeOf } = parts;
  /** Notes that a webhook begins at the start, before it does: of several that ask at once, one may. */
  const claimStart = (id: string) =>
    store.change(id, "webhook.start", (webhook) => {
      const now = Date.now();
      allowance.assertMayStart(webhook, now);
      return { started_at: new Date(now).toISOString() };
    });
  return {
    pause: (id) =>
      store.change(id, "webhook.pause", ({ status }) => {
        if (status === "pending") throw new WebhookError("The webhook is pending: nothing is delivered anyway.");
        // The reason of an earlier pause says how it can be resumed.
        return status === "paused" ? {} : pausedAt(Date.now(), PAUSED_BY_OWNER);
      }),
    async resume(id, plan, from) {
      allowance.assertMayBegin(from, plan);
      const webhook = await found(id);
      const { account, list, status } = webhook;
      if (status !== "active") {
        const active = (await store.ofAccount(account)).filter((each) => each.status === "active").length;
        allowance.assertRoom(active, plan, "as many are active. Pause or delete one of them first.");
      }
      if (from) {
        const place = await placeOf(from, list);
        if (from === "start") await claimStart(id);
        await progress.begin({ webhook: id, account }, place);
      } else if (hasLostItsPlace(webhook) || !(await progress.change(id, NO_FAILURES)))
        throw new WebhookError("It can't go on where it stopped. Say where it goes on: now, or at the start.");
      if (status === "pending") {
        const sent = await sending.challenge(id);
        return { webhook: await found(id), challenge: sent };
      }
      const resumed = await store.change(id, "webhook.resume", () => ({ status: "active", reason: null }));
      await sending.deliver(id);
      return { webhook: resumed };
    },
  };
}
