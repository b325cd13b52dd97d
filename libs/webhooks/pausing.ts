import { type From, NO_FAILURES, type ProgressStore, type ReadProgress } from "./progress.ts";
import { hasLostItsPlace, PAUSED_BY_OWNER, pausedAt, type Webhook, WebhookError, type WebhookList } from "./webhook.ts";
import type { ReceiversOf } from "./receivers.ts";
import type { Starts } from "./starts.ts";
import type { WebhookStore } from "./webhook-store.ts";
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
  receiversOf: ReceiversOf;
  progress: ProgressStore;
  starts: Starts;
  allowance: Allowance;
  sending: Pick<Sending, "challenge" | "deliver">;
  found: (id: string) => Promise<Webhook>;
  placeOf: (from: Begin, list: WebhookList) => Promise<From>;
}): Pausing {
  const { store, receiversOf, progress, starts, allowance, sending, found, placeOf } = parts;
  /** Notes that a webhook begins at the start, before it does: of several that ask at once, as many may as are allowed. */
  const claimStart = async (webhook: Webhook, plan: string) => {
    const { webhook_id, account } = webhook;
    await starts.change(account, (before) => {
      const now = Date.now();
      allowance.assertMayStart(before, webhook, plan, now);
      const others = before.filter((each) => each.webhook_id !== webhook_id);
      return [...others, { webhook_id, at: new Date(now).toISOString() }];
    });
    try {
      await store.change(webhook_id, "webhook.start", () => ({}));
    } catch (error) {
      // Whoever deleted it meanwhile may have looked before the start was noted.
      if (!(await store.find(webhook_id))) await starts.withdraw(account, webhook_id);
      throw error;
    }
  };
  /**
   * `read`: the progress from before the webhook was found. One that is pending may claim its start again, so it must not have got
   * anything since.
   */
  const begin = async ({ webhook_id, account, status }: Webhook, read: ReadProgress | undefined, from: From) => {
    if (status !== "pending" || !read) await progress.begin({ webhook: webhook_id, account }, from);
    else if (!(await progress.write(read, { from, ...NO_FAILURES })))
      throw new WebhookError("Others are changing the webhook at this moment. Try again.");
  };
  return {
    pause: (id) =>
      store.change(id, "webhook.pause", ({ status }) => {
        if (status === "pending") throw new WebhookError("The webhook is pending: nothing is delivered anyway.");
        // The reason of an earlier pause says how it can be resumed.
        return status === "paused" ? {} : pausedAt(Date.now(), PAUSED_BY_OWNER);
      }),
    async resume(id, plan, from) {
      allowance.assertMayBegin(from, plan);
      const read = await progress.read(id);
      const webhook = await found(id);
      const { account, list, status } = webhook;
      if (status !== "active") {
        const active = (await receiversOf(account)).filter(({ isActive }) => isActive).length;
        allowance.assertRoom(active, plan, "as many are active. Pause or delete one of them first.");
      }
      // A webhook that was created to begin at the start does so when its receiver answers.
      const startsNow = from === "start" || (!from && status === "pending" && read?.progress.from === "start");
      if (startsNow) await claimStart(webhook, plan);
      if (from) {
        await begin(webhook, read, await placeOf(from, list));
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
