import type { WebhookView } from "../data.ts";
import { Notice } from "../../ui/states.tsx";
import { Status } from "../webhooks/status.tsx";

/** The webhooks that nothing is sent to, with the reasons; nothing while all is well. */
export function StoppedWebhooks({ webhooks }: { webhooks: readonly WebhookView[] }) {
  const stopped = webhooks.filter(({ status }) => status !== "active");
  if (stopped.length === 0) return null;
  return (
    <Notice kind="warning">
      <p>
        <strong>
          {stopped.length === 1 ? "One webhook gets nothing." : `${stopped.length} webhooks get nothing.`}
        </strong>
      </p>
      <ul>
        {stopped.map((webhook) => (
          <li key={webhook.id} class="anywhere">
            <a href={`/dashboard/webhooks/${webhook.id}`}>{webhook.name}</a>: <Status webhook={webhook} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
