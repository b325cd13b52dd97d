import { useState } from "preact/hooks";
import type { DeliveryView } from "../data.ts";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { count } from "../format.ts";
import "./webhooks.css";

const PURPOSES: Record<DeliveryView["purpose"], string> = {
  changes: "Changes",
  challenge: "Challenge",
  test: "Test",
  resend: "Sent again",
};

/** The deliveries to a webhook in the last 30 days, the newest first, with the answers. */
export function Deliveries({
  deliveries,
  busy,
  resend,
}: {
  deliveries: readonly DeliveryView[];
  busy: boolean;
  resend: (delivery: string) => void;
}) {
  const [onlyFailed, setOnlyFailed] = useState(false);
  const failed = deliveries.filter(({ reason }) => reason !== null);
  const isMixed = failed.length > 0 && failed.length < deliveries.length;
  return (
    <section class="stack" aria-labelledby="deliveries">
      <div class="row between">
        <h2 id="deliveries">Deliveries</h2>
        {isMixed && (
          <label>
            <input type="checkbox" checked={onlyFailed} onChange={() => setOnlyFailed(!onlyFailed)} /> Only failures
          </label>
        )}
      </div>
      {deliveries.length === 0 ? (
        <p class="muted">Nothing was sent in the last 30 days.</p>
      ) : (
        <Table
          label="What was sent"
          class="webhooks stacks"
          columns={[
            "Sent",
            "What",
            "Answer",
            { name: "Rows", number: true },
            { name: "Took", number: true },
            { name: "Actions", hidden: true },
          ]}
        >
          {(isMixed && onlyFailed ? failed : deliveries).map((delivery) => (
            <tr key={delivery.id}>
              <td>
                <When time={delivery.at} as="second" />
              </td>
              <td>{PURPOSES[delivery.purpose]}</td>
              <td class="wrap">
                <Answer delivery={delivery} />
              </td>
              <td class="number anywhere" data-head="Rows">
                <Rows ids={delivery.ids} />
              </td>
              <td class="number">{count(delivery.took_ms)} ms</td>
              <td>
                {delivery.ids.length > 0 && (
                  <button type="button" class="button" disabled={busy} onClick={() => resend(delivery.id)}>
                    Send again
                  </button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** The number of rows, with their ids behind it: what was sent of them is not kept. */
function Rows({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <details>
      <summary>{count(ids.length)}</summary>
      <code>{ids.join(", ")}</code>
    </details>
  );
}

function Answer({ delivery: { status, reason, answer } }: { delivery: DeliveryView }) {
  const said = reason ?? `Accepted with ${status}.`;
  if (answer === "") return <>{said}</>;
  return (
    <details>
      <summary>{said}</summary>
      <pre class="anywhere">{answer}</pre>
    </details>
  );
}
