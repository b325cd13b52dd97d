import { askIndexer } from "@tranche/shared/protocol/queue/ask-indexer";
import { JOB_FORMATS } from "@tranche/shared/protocol/queue/formats";
import { deliverJobOptions, type WebhookJob } from "@tranche/shared/protocol/queue/queues";
import type { Queue } from "bullmq";
import type { Delivery } from "./delivery-log.ts";

/** Longer than a receiver has for its answer, and for that to a delivery before. */
const SENT_WITHIN_MS = 25_000;

/** How a message went that somebody waited for, or why none was sent. */
export type Sent = { delivery: Delivery } | { unavailable: string };

/** Has the indexers send. */
export type Sending = {
  /** Sends one message and waits for how it went. Rejects when the webhook can't be signed for or is not there. */
  send(webhook: string, job: Pick<WebhookJob, "purpose" | "delivery">): Promise<Sent>;
  /** Enqueues the delivery of what has changed. */
  deliver(webhook: string): Promise<void>;
  /** Sends the challenge. When the receiver answers it, deliveries begin. */
  challenge(webhook: string): Promise<Sent>;
};

/** `assertCanSend`: throws unless the webhook is there and its messages can be signed. */
export function createSending(queue: Queue<WebhookJob>, assertCanSend: (webhook: string) => Promise<void>): Sending {
  const format = JOB_FORMATS.webhooks;
  const send: Sending["send"] = async (webhook, job) => {
    await assertCanSend(webhook);
    const answer = await askIndexer<WebhookJob, Delivery>(queue, "send", { format, webhook, ...job }, SENT_WITHIN_MS);
    return "result" in answer ? { delivery: answer.result } : answer;
  };
  const deliver: Sending["deliver"] = async (webhook) => {
    const { deduplication, ...options } = deliverJobOptions(webhook);
    // One that waits for its next attempt begins at once.
    await queue.add(
      "deliver",
      { format, webhook },
      { ...options, deduplication: { ...deduplication, reschedule: true } },
    );
  };
  return {
    send,
    deliver,
    async challenge(webhook) {
      const sent = await send(webhook, { purpose: "challenge" });
      if ("delivery" in sent && sent.delivery.delivered) await deliver(webhook);
      return sent;
    },
  };
}
