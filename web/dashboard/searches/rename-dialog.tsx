import { useState } from "preact/hooks";
import type { SearchView } from "../../../apps/dashboard/routes/searches.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import type { RequestFailed } from "../../ui/request.ts";
import { Failed } from "../../ui/states.tsx";
import { useSend } from "../session.ts";

/** Renames a search. Changes made by others meanwhile are not overwritten. */
export function RenameDialog({ search, done, close }: { search: SearchView; done: () => void; close: () => void }) {
  const send = useSend();
  const [name, setName] = useState(search.name);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<RequestFailed>();
  const rename = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await send("PUT", `/searches/${search.id}`, { name, version: search.version });
      done();
    } catch (failed) {
      setError(failed as RequestFailed);
      setBusy(false);
    }
  };
  const ofName = error?.parameter === "name";
  return (
    <Dialog title="Rename the search" close={close} busy={busy}>
      <form class="stack" onSubmit={(event) => void rename(event)}>
        {error && !ofName && (
          <Failed error={error} {...(error.code === "conflict" || error.status === 404 ? { retry: done } : {})} />
        )}
        <Field label="Name" problem={ofName ? error.message : undefined}>
          {(attributes) => (
            <input
              {...attributes}
              class="input"
              type="text"
              autoFocus
              autoComplete="off"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <div class="row">
          <button type="submit" class="button primary" disabled={busy}>
            Rename
          </button>
          <button type="button" class="button" disabled={busy} onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
