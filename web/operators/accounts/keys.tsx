import { useState } from "preact/hooks";
import type { AccountView, NewKey } from "../data.ts";
import type { KeyStatus, KeyView } from "../../../libs/operations/accounts/key-view.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Badge, type Mood } from "../parts/badge.tsx";
import { Table } from "../../ui/table.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { UtcTime } from "../parts/utc-time.tsx";
import { useSend } from "../session.ts";

/** The keys of an account. */
export function Keys({ account, changed }: { account: AccountView; changed: () => void }) {
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<NewKey>();
  const [revoking, setRevoking] = useState<KeyView>();
  const deleted = account.status === "deleted";
  return (
    <section class="stack">
      <div class="head">
        <h2>Keys</h2>
        {!deleted && (
          <button type="button" class="button" onClick={() => setCreating(true)}>
            New key
          </button>
        )}
      </div>
      {account.keys.length === 0 ? (
        <p class="muted">The account has no keys.</p>
      ) : (
        <Table
          label="Keys"
          columns={["Name", "State", "Begins with", "Created", "Last used", "Expires", "Actions"]}
          class="stacks"
        >
          {account.keys.map((key) => (
            <tr key={key.id}>
              <td class="wrap">{key.name}</td>
              <td>
                <KeyState of={key.status} />
              </td>
              <td class="mono">{key.prefix}</td>
              <td data-head="Created">
                <UtcTime of={key.created_at} />
              </td>
              <td data-head="Last used">
                <UtcTime of={key.last_used_at} />
              </td>
              <td data-head="Expires">
                <UtcTime of={key.expires_at} />
              </td>
              <td>
                {key.status !== "revoked" && key.status !== "expired" && (
                  <button type="button" class="button danger" onClick={() => setRevoking(key)}>
                    Revoke<span class="visually-hidden"> {key.name}</span>
                  </button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {creating && (
        <CreateKey
          account={account.id}
          close={() => setCreating(false)}
          created={(key) => {
            setCreating(false);
            setMade(key);
            changed();
          }}
        />
      )}
      {made && (
        <ShownOnce title={`The key ${made.name}`} what="the key" close={() => setMade(undefined)}>
          <CodeBlock code={made.key} what="the key" />
        </ShownOnce>
      )}
      {revoking && (
        <Revoke
          of={revoking}
          close={() => setRevoking(undefined)}
          done={() => {
            setRevoking(undefined);
            changed();
          }}
        />
      )}
    </section>
  );
}

const STATES: Record<KeyStatus, { text: string; mood: Mood }> = {
  works: { text: "works", mood: "good" },
  expires_soon: { text: "expires soon", mood: "warning" },
  rotating: { text: "being replaced", mood: "warning" },
  expired: { text: "expired", mood: "plain" },
  revoked: { text: "revoked", mood: "plain" },
};

function KeyState({ of }: { of: KeyStatus }) {
  return <Badge mood={STATES[of].mood}>{STATES[of].text}</Badge>;
}

function CreateKey({
  account,
  close,
  created,
}: {
  account: string;
  close: () => void;
  created: (key: NewKey) => void;
}) {
  const send = useSend();
  const [name, setName] = useState("");
  const [expires, setExpires] = useState("");
  const run = async () =>
    created(await send("POST", `/accounts/${account}/keys`, { name, ...(expires === "" ? {} : { expires }) }));
  return (
    <FormDialog title="New key" action="Create the key" run={run} close={close}>
      {(problemOf) => (
        <>
          <TextField
            label="Name"
            hint="What the key is used for."
            value={name}
            set={setName}
            problem={problemOf("name")}
            required
          />
          <TextField
            label="Expires"
            hint="The first day, in UTC, on which it no longer works. Leave it empty for a key that stays."
            value={expires}
            set={setExpires}
            problem={problemOf("expires")}
            type="date"
          />
        </>
      )}
    </FormDialog>
  );
}

function Revoke({ of, close, done }: { of: KeyView; close: () => void; done: () => void }) {
  const send = useSend();
  const run = async () => {
    await send("POST", `/keys/${of.id}/revoke`);
    done();
  };
  return (
    <FormDialog title={`Revoke the key ${of.name}?`} action="Revoke" danger run={run} close={close}>
      <p>It stops working within a second. This can't be undone.</p>
    </FormDialog>
  );
}
