import { atHorizon, atStart, type FeedPosition, knowing } from "@tranche/read-models/feed/position";
import type { Filter } from "@tranche/read-models/query/filters";
import type { FeedState } from "@tranche/shared/protocol/feed/state";
import { changesMessage } from "./message.ts";
import { type From, NO_FAILURES, type ReadProgress } from "@tranche/webhooks/progress";
import { nextAttempt } from "./backoff.ts";
import { EXPIRED, pausedAt, RESTORED, type Webhook, WebhookError, type WebhookList } from "@tranche/webhooks/webhook";
import { attempt } from "./attempt.ts";
import { nextChanges } from "./changes.ts";
import type { WebhookParts } from "./parts.ts";
import { DELIVERIES, withDeliveryLease } from "./delivery-lease.ts";

/** A webhook with more to deliver lets others have its place after so many deliveries. */
const DELIVERIES_IN_A_ROW = 20;
const AGAIN_AFTER_FAILURE_MS = 5000;
/** Somebody else holds the delivery lease: documents are sent again, which takes no longer than an attempt. */
const LEASE_AGAIN_MS = 500;
/** A position that nothing came after is stored once a day, so that it never expires. In µs, as tickets are. */
const STORE_IDLE_US = 86_400e6;

/** The next step of a job: it is done, or it runs again after so many ms. */
export type Outcome = "done" | { againMs: number };

/**
 * Sends a webhook the changes that it has not got yet, in their order, from where it stopped. The position is stored after each success,
 * so whoever goes on after a kill sends the last delivery again at most. What the receiver may know then is stored before: whoever goes on
 * also sends the removals of that.
 */
async function deliver(parts: WebhookParts, id: string, until: AbortSignal): Promise<Outcome> {
  const webhook = await parts.webhooks.find(id);
  if (webhook?.status !== "active") return "done";
  parts.active.refreshUnlessKnown(id);
  if ((await parts.accounts.account(webhook.account))?.status !== "active") return "done";
  const following = filtersOf(parts, webhook);
  if ("problem" in following) return pause(parts, webhook, following.problem);

  for (let sent = 0; sent < DELIVERIES_IN_A_ROW && !until.aborted; sent++) {
    const outcome = await withDeliveryLease(parts, id, DELIVERIES, () => deliverNext(parts, webhook, following));
    if (outcome === undefined) return { againMs: LEASE_AGAIN_MS };
    if (outcome !== "more") return outcome;
  }
  return { againMs: 0 };
}

/** One delivery. `more`: there may be more to send. */
async function deliverNext(parts: WebhookParts, webhook: Webhook, following: Following): Promise<Outcome | "more"> {
  const id = webhook.webhook_id;
  const read = await parts.progress.read(id);
  if (!read) return pause(parts, webhook, RESTORED);
  const { next_attempt_at: next } = read.progress;
  const waitMs = next === null ? 0 : Date.parse(next) - parts.now();
  if (waitMs > 0) return { againMs: waitMs };
  // Not beyond what this process has seen: what changes after that wakes the webhook again.
  const state = parts.seen.get(webhook.list);
  if (!state) return { againMs: parts.timing.webhookFeed };
  const after = positionOf(read.progress.from, state);
  const page = await nextChanges(parts, following, after, state);
  if (page === "closed") return { againMs: parts.timing.webhookFeed };
  if (page === "expired") return pause(parts, webhook, EXPIRED);
  if (page.changes.length === 0) {
    if (read.progress.from !== after || page.next.asof - after.asof > STORE_IDLE_US) {
      await parts.progress.write(read, { from: page.next });
    }
    return page.next.asof < page.next.changed ? { againMs: parts.timing.webhookFeed } : "done";
  }
  const message = changesMessage(webhook, page.changes, parts.now());
  const begun = await parts.progress.write(read, { from: knowing(after, state.horizon) });
  // Somebody else has changed it meanwhile, such as a person who begins elsewhere.
  if (!begun) return "more";
  const delivery = await attempt(parts, webhook, message, { purpose: "changes", ids: page.ids });
  if (!delivery.delivered) return failed(parts, webhook, begun, delivery);
  const { at: last_success_at } = delivery;
  await parts.progress.write(begun, { from: page.next, ...NO_FAILURES, last_success_at });
  // Read the webhook again: somebody may have paused it.
  return (await parts.webhooks.find(id))?.status === "active" ? "more" : "done";
}

/** The same. What fails here, and not at the receiver, is tried again. */
export async function deliverSafely(parts: WebhookParts, id: string, until: AbortSignal): Promise<Outcome> {
  try {
    return await deliver(parts, id, until);
  } catch (error) {
    parts.log.warn(
      { webhook: id, reason: (error as Error).message },
      "a webhook can't be delivered to now; trying again",
    );
    return { againMs: AGAIN_AFTER_FAILURE_MS };
  }
}

type Following = { list: WebhookList; filters: Filter[] };

function positionOf(from: From, { epoch, horizon }: FeedState): FeedPosition {
  if (from === "start") return atStart(epoch, horizon);
  return from === "now" ? atHorizon(epoch, horizon) : from;
}

/** Filters that were read when the webhook was created may be refused by a later version, or by other deal types. */
function filtersOf({ filters }: WebhookParts, { list, query }: Webhook): Following | { problem: string } {
  try {
    return { list, filters: filters.filters(list, query) };
  } catch (error) {
    if (error instanceof WebhookError) return { problem: `Its filters are not understood any more: ${error.message}` };
    throw error;
  }
}

async function failed(
  parts: WebhookParts,
  webhook: Webhook,
  read: ReadProgress,
  outcome: { status: number | null; reason: string | null; at: string },
): Promise<Outcome> {
  const failures = read.progress.failures + 1;
  const failing_since = read.progress.failing_since ?? outcome.at;
  const sinceMs = parts.now() - Date.parse(failing_since);
  const next = nextAttempt(outcome, { failures, sinceMs, random: Math.random() });
  const next_attempt_at = "againMs" in next ? new Date(parts.now() + next.againMs).toISOString() : null;
  // Somebody has resumed it meanwhile: it is tried again at once, and not paused.
  if (!(await parts.progress.write(read, { failures, failing_since, next_attempt_at }))) return { againMs: 0 };
  return "pause" in next ? pause(parts, webhook, next.pause) : next;
}

async function pause(
  { webhooks, now, log }: WebhookParts,
  { webhook_id, account }: Webhook,
  reason: string,
): Promise<Outcome> {
  await webhooks.change(webhook_id, "webhook.pause", () => pausedAt(now(), reason));
  log.warn({ webhook: webhook_id, account, reason }, "a webhook is paused");
  return "done";
}
