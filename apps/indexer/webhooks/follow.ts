import { setTimeout as pause } from "node:timers/promises";
import { JOB_FORMATS } from "@tranche/shared/protocol/queue/formats";
import { deliverJobOptions, type WebhookJob } from "@tranche/shared/protocol/queue/queues";
import { hasMoved, readFeedState } from "@tranche/shared/protocol/feed/state";
import { FEED_OF_LIST, type Webhook, WEBHOOK_LISTS, type WebhookList } from "@tranche/webhooks/webhook";
import type { Queue } from "bullmq";
import { removeGone } from "./gone.ts";
import { matching } from "./match.ts";
import type { WebhookParts } from "./parts.ts";

/** How often every webhook gets a job, whether something has come or not: a Redis that lost its data has lost jobs. */
const ALL_EVERY_MS = 10 * 60_000;

type FollowParts = Pick<
  WebhookParts,
  "client" | "redis" | "namespace" | "accounts" | "webhooks" | "active" | "seen" | "filters" | "deliveries" | "log"
> & {
  queue: Queue<WebhookJob>;
  lookEveryMs: number;
};

/**
 * Follows the changes of the lists and gives every webhook that has something to get a job, until it is aborted. Each indexer does so: a job
 * that is there already is not added again. It only makes deliveries faster: a job finds by itself what its webhook has not received yet.
 */
export async function followChanges(parts: FollowParts, until: AbortSignal): Promise<void> {
  let known: ReadonlySet<string> = new Set();
  let allAt = -Infinity;
  while (!until.aborted) {
    try {
      const webhooks = await parts.active.all();
      const ids = webhooks.map(({ webhook_id }) => webhook_id);
      const isTime = performance.now() - allAt > ALL_EVERY_MS;
      // Something may have come for a new one before it was known here.
      await enqueue(parts.queue, isTime ? ids : ids.filter((id) => !known.has(id)));
      known = new Set(ids);
      if (isTime) {
        await parts.deliveries.prune();
        await removeGone(parts);
        allAt = performance.now();
      }
      for (const list of WEBHOOK_LISTS)
        await look(
          parts,
          list,
          webhooks.filter((each) => each.list === list),
        );
    } catch (error) {
      parts.log.warn({ reason: (error as Error).message }, "webhooks do not see what has changed; trying again");
      // Whatever came meanwhile is found by the jobs.
      parts.seen.clear();
    }
    await pause(parts.lookEveryMs, undefined, { signal: until }).catch(() => {});
  }
}

async function look(parts: FollowParts, list: WebhookList, webhooks: readonly Webhook[]): Promise<void> {
  const state = await readFeedState(parts.redis, parts.namespace, FEED_OF_LIST[list]);
  const before = parts.seen.get(list);
  if (!state) return void parts.seen.delete(list);
  if (before && !hasMoved(before, state)) return;
  // Before the jobs are added, because they read up to this state. If matching fails, every webhook gets a job at the next look.
  parts.seen.set(list, state);
  const comparable = before && before.index === state.index && before.epoch === state.epoch;
  const found = comparable
    ? await matching(parts, list, webhooks, { index: state.index, after: before.horizon, upTo: state.horizon })
    : webhooks.map(({ webhook_id }) => webhook_id);
  await enqueue(parts.queue, found);
}

async function enqueue(queue: Queue<WebhookJob>, webhooks: readonly string[]): Promise<void> {
  const format = JOB_FORMATS.webhooks;
  await queue.addBulk(
    webhooks.map((webhook) => ({ name: "deliver", data: { format, webhook }, opts: deliverJobOptions(webhook) })),
  );
}
