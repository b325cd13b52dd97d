import { useState } from "preact/hooks";
import type { ApplicationRow } from "../data.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Done, Empty, Reading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { get, useSend, useSession } from "../session.ts";

/** The applications that members of the account have connected. */
export default function Applications() {
  const { api_url } = useSession();
  const loaded = useLoad("applications", (signal) => get("/applications", signal));
  const [ending, setEnding] = useState<ApplicationRow>();
  const [done, setDone] = useState<string>();
  const close = (text?: string) => {
    setEnding(undefined);
    setDone(text);
    loaded.reload();
  };
  const rows = loaded.value?.applications;
  return (
    <div class="stack sections">
      <h1>Applications</h1>
      <p class="muted measure">
        Assistants that members have connected without a key. Each reads what this account may read, at the address of
        assistants alone, and counts in its limits.
      </p>
      <Done text={done} />
      <Reading of={loaded} rows={4} />
      {rows?.length === 0 && (
        <Empty title="No application is connected">
          <p>
            Add <code class="anywhere">{api_url}/mcp</code> to an assistant, and it sends you here.{" "}
            <a href={`${api_url}/docs/assistants`}>How to connect one</a>
          </p>
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <ul class="items">
          {rows.map((row) => (
            <li key={row.id}>
              <div>
                <p class="anywhere">
                  <strong>{row.name}</strong> {row.host === null ? "(registered itself)" : `(${row.host})`}
                </p>
                <p class="muted anywhere">
                  Connected <When time={row.connected_at} /> by {row.member} through {row.redirect}, last used{" "}
                  <When time={row.last_used_at} />, ends <When time={row.expires_at} /> unless it is used
                </p>
              </div>
              <button type="button" class="button danger" onClick={() => setEnding(row)}>
                Disconnect<span class="visually-hidden"> {row.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {ending && <Disconnect row={ending} close={close} />}
    </div>
  );
}

function Disconnect({ row, close }: { row: ApplicationRow; close: (done?: string) => void }) {
  const send = useSend();
  const end = async () => {
    await send("DELETE", `/applications/${encodeURIComponent(row.id)}`);
    close(`“${row.name}” is disconnected.`);
  };
  return (
    <FormDialog title="Disconnect the application" action="Disconnect" danger run={end} close={() => close()}>
      <p>
        <b class="anywhere">{row.name}</b> is refused within one second. To use it again, somebody has to connect it
        again.
      </p>
    </FormDialog>
  );
}
