import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { Empty, Reading } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { get } from "../session.ts";
import { CreateWebhook } from "./create-webhook.tsx";
import { Status } from "./status.tsx";
import { Subject } from "./subject.tsx";
import "./webhooks.css";

/** The account's webhooks. `?create` opens the dialog that creates one, with `name`, `list` and `query` filled in. */
export default function WebhooksPage() {
  const loaded = useLoad("webhooks", (signal) => get("/webhooks", signal));
  const parameters = useLoad("parameters", (signal) => get("/parameters", signal));
  const { query, path, route } = useLocation();
  const [creates, setCreates] = useState(query["create"] !== undefined);
  const close = () => {
    setCreates(false);
    if (query["create"] !== undefined) route(path, true);
    loaded.reload();
  };
  const { value } = loaded;
  const create = (
    <button type="button" class="button primary" onClick={() => setCreates(true)}>
      Create a webhook
    </button>
  );
  return (
    <div class="stack sections">
      <div class="row between">
        <h1>Webhooks</h1>
        {value && value.webhooks.length > 0 && value.webhooks.length < value.max && create}
      </div>
      <p class="muted measure">
        A webhook sends the changes of a filtered list to your own program as they happen. Each message is signed.
        Deliveries cost no quota.
        {value && ` Your plan allows ${value.max === 1 ? "one webhook" : `${value.max} webhooks`}.`}
      </p>
      <Reading of={loaded} rows={4} />
      {value?.webhooks.length === 0 && (
        <Empty title="There is no webhook yet">
          <p>Create one here, or from a saved search.</p>
          {value.max > 0 && <p>{create}</p>}
        </Empty>
      )}
      {value && value.webhooks.length > 0 && (
        <Table label="Webhooks" class="webhooks stacks" columns={["Name", "Changes of", "To", "Status", "Created"]}>
          {value.webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <td class="anywhere">
                <a href={`/dashboard/webhooks/${webhook.id}`}>{webhook.name}</a>
              </td>
              <td class="anywhere">
                <Subject webhook={webhook} fields={parameters.value} />
              </td>
              <td class="wrap">{webhook.url}</td>
              <td>
                <Status webhook={webhook} />
              </td>
              <td title={`by ${webhook.created_by}`} data-head="Created">
                <When time={webhook.created_at} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {creates && (
        <CreateWebhook
          prefilled={{
            name: query["name"] ?? "",
            list: query["list"] === "signals" ? "signals" : "funding",
            query: query["query"] ?? "",
          }}
          parameters={parameters}
          close={close}
        />
      )}
    </div>
  );
}
