import type { WebhookView } from "../data.ts";

const STATUS: Record<WebhookView["status"], string> = {
  active: "Active",
  pending: "Waits for its receiver",
  paused: "Paused",
  deleted: "Deleted",
};

/** Whether a webhook is delivered to, and why not. */
export function Status({ webhook: { status, reason } }: { webhook: WebhookView }) {
  return (
    <>
      <b>{STATUS[status]}</b>
      {reason !== null && <span class="muted"> {reason}</span>}
    </>
  );
}
