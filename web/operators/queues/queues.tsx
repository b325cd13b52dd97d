import { LivePage } from "../parts/live-page.tsx";
import { QueueTable } from "../parts/queue-table.tsx";
import { useLive } from "../parts/use-live.ts";

/** All queues with the numbers of their jobs. */
export default function Queues() {
  const live = useLive("/queues");
  return (
    <div class="stack">
      <h1>Queues</h1>
      <p class="muted">The work of the indexers. Open a queue to see its jobs one by one.</p>
      <LivePage live={live} what="the queues">
        {(queues) => <QueueTable queues={queues} />}
      </LivePage>
    </div>
  );
}
