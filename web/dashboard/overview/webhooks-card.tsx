import type { WebhooksView } from "../../../apps/dashboard/routes/webhooks.ts";
import { useLoad } from "../../ui/use-load.ts";
import { get } from "../session.ts";
import { Status } from "../webhooks/status.tsx";

/** How the account's webhooks are doing; nothing while there are none. Those that nothing is sent to are named, with the reason. */
export function WebhooksCard() {
  const { value } = useLoad("webhooks", (signal) => get<WebhooksView>("/webhooks", signal));
  if (!value || value.webhooks.length === 0) return null;
  const stopped = value.webhooks.filter(({ status }) => status !== "active");
  return (
    <section class="card stack">
      <h2>Webhooks</h2>
      <p class="gauge-figure">
        <b>{value.webhooks.length - stopped.length}</b> <span class="muted">that changes are sent to</span>
      </p>
      {stopped.map((webhook) => (
        <p key={webhook.id} class="anywhere">
          <a href={`/dashboard/webhooks/${webhook.id}`}>{webhook.name}</a>: <Status webhook={webhook} />
        </p>
      ))}
      <p>
        <a href="/dashboard/webhooks">Manage webhooks</a>
      </p>
    </section>
  );
}
