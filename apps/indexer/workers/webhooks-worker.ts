import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { Delivery } from "@tranche/webhooks/delivery-log";
import { type Job, Worker } from "bullmq";
import { assertNamed, deliverOf, sendOf } from "../jobs/data.ts";
import { requeue } from "../jobs/requeue.ts";
import { deliverSafely, type Outcome } from "../webhooks/deliver.ts";
import type { WebhookParts } from "../webhooks/parts.ts";
import { sendOnce } from "../webhooks/send-once.ts";
import { LOCKS, type WorkerOptions, type WorkerParts } from "./parts.ts";

/** Webhooks that a process delivers to at once. Nearly all the time they wait for receivers. A slow receiver holds up no other. */
const DELIVERIES_AT_ONCE = 200;
/** Delivers to webhooks, and sends them single messages. */
export function createWebhooksWorker(
  webhooks: WebhookParts,
  { gate, track }: Pick<WorkerParts, "gate" | "track">,
  { access, until }: WorkerOptions,
): Worker {
  const work = (job: Job): Promise<Outcome | Delivery> =>
    assertNamed(job, "deliver", "send") === "send"
      ? sendOnce(webhooks, sendOf(job))
      : deliverSafely(webhooks, deliverOf(job).webhook, until);
  return new Worker(
    QUEUES.webhooks,
    (job, token) =>
      gate.pass(QUEUES.webhooks, job, token, async () => {
        const outcome = await track(QUEUES.webhooks, () => work(job));
        if (typeof outcome === "string" || !("againMs" in outcome)) return outcome;
        return requeue(job, token, outcome.againMs);
      }),
    { ...access, ...LOCKS, concurrency: DELIVERIES_AT_ONCE },
  );
}
