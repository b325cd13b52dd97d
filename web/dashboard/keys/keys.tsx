import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import type { AccountKeyView } from "../data.ts";
import { Done, Empty, Reading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { get, useSend } from "../session.ts";
import { CreateKey } from "./create-key.tsx";
import { KeyItem } from "./key-item.tsx";
import { RotateKey } from "./rotate-key.tsx";
import type { KeyView } from "../../../libs/operations/accounts/key-view.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { shownDistance } from "../../ui/when.tsx";
import "./keys.css";

type Opened = { what: "create" } | { what: "rotate" | "revoke"; key: AccountKeyView };

const isOver = ({ status }: AccountKeyView) => status === "revoked" || status === "expired";

/** The account's keys. `?create` opens the dialog that creates one. */
export default function KeysPage() {
  const loaded = useLoad("keys", (signal) => get("/keys", signal));
  const { query, path, route } = useLocation();
  const [opened, setOpened] = useState<Opened | undefined>(
    query["create"] === undefined ? undefined : { what: "create" },
  );
  const [done, setDone] = useState<string>();
  const open = (what: Opened) => {
    setDone(undefined);
    setOpened(what);
  };
  const close = (text?: string) => {
    setOpened(undefined);
    setDone(text);
    if (query["create"] !== undefined) route(path, true);
    loaded.reload();
  };
  const { value } = loaded;
  const create = (
    <button type="button" class="button primary" onClick={() => open({ what: "create" })}>
      Create a key
    </button>
  );
  const items = (keys: readonly AccountKeyView[]) => (
    <ul class="keys">
      {keys.map((key) => (
        <KeyItem
          key={key.id}
          item={key}
          rotate={() => open({ what: "rotate", key })}
          revoke={() => open({ what: "revoke", key })}
        />
      ))}
    </ul>
  );
  const [working, over] = [value?.keys.filter((key) => !isOver(key)) ?? [], value?.keys.filter(isOver) ?? []];
  return (
    <div class="stack sections">
      <div class="row between">
        <h1>API keys</h1>
        {working.length > 0 && create}
      </div>
      <p class="muted measure">
        A program sends a key with each request. All keys of this account share its limits. Use a key of its own for
        each program, so that you can revoke one without stopping the others.
      </p>
      <Done text={done} />
      <Reading of={loaded} rows={4} />
      {value && working.length === 0 && (
        <Empty title={over.length === 0 ? "There is no key yet" : "No key works at the moment"}>
          <p>Create one to call the API.</p>
          <p>{create}</p>
        </Empty>
      )}
      {working.length > 0 && items(working)}
      {value && value.working >= value.max_working && (
        <p>
          This account has {value.working} working keys, and may have {value.max_working}.
        </p>
      )}
      {over.length > 0 && (
        <details class="stack">
          <summary>
            {over.length} revoked or expired {over.length === 1 ? "key" : "keys"}
          </summary>
          {items(over)}
        </details>
      )}
      {opened?.what === "create" && <CreateKey close={() => close()} />}
      {opened?.what === "rotate" && <RotateKey old={opened.key} close={() => close()} />}
      {opened?.what === "revoke" && <RevokeKey item={opened.key} close={close} />}
    </div>
  );
}

/** Revokes a key after confirmation. */
function RevokeKey({ item, close }: { item: KeyView; close: (done?: string) => void }) {
  const send = useSend();
  const revoke = async () => {
    await send("POST", `/keys/${item.id}/revoke`);
    close(`The key “${item.name}” is revoked.`);
  };
  return (
    <FormDialog title="Revoke the key" action="Revoke the key" danger run={revoke} close={() => close()}>
      <p>
        <b>{item.name}</b> (<code>{item.prefix}</code>) stops working within one second. Programs that use it are
        refused. This can't be undone.
      </p>
      <p>{item.last_used_at ? `It was last used ${shownDistance(item.last_used_at)}.` : "It was never used."}</p>
    </FormDialog>
  );
}
