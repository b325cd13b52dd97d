import { useState } from "preact/hooks";
import type { SearchView } from "../../data.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { useLoad } from "../../../ui/use-load.ts";
import { get, useSend } from "../../session.ts";
import { type ExploreState, savedQuery } from "../request/explore-state.ts";

/** Saves filters and order under a name, for everybody in the account. */
export function SaveButton({ explore, disabled }: { explore: ExploreState; disabled: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button" disabled={disabled} onClick={() => setOpen(true)}>
        Save this search
      </button>
      {open && <SaveDialog explore={explore} close={() => setOpen(false)} />}
    </>
  );
}

function SaveDialog({ explore, close }: { explore: ExploreState; close: () => void }) {
  const send = useSend();
  const [name, setName] = useState("");
  const found = useLoad("searches", (signal) => get("/searches", signal));
  const [replaced, setReplaced] = useState<SearchView>();
  const others = found.value?.searches.filter(({ list }) => list === explore.list) ?? [];
  const [saved, setSaved] = useState<SearchView>();
  const save = async () => {
    const query = savedQuery(explore.params);
    setSaved(
      replaced
        ? await send("PUT", `/searches/${replaced.id}`, { query, version: replaced.version })
        : await send("POST", "/searches", { name, list: explore.list, query }),
    );
  };
  if (saved) return <Saved search={saved} close={close} />;
  return (
    <FormDialog title="Save this search" action="Save" run={save} close={close}>
      {(problemOf) => (
        <>
          {others.length > 0 && (
            <Field label="Save as">
              {(attributes) => (
                <select
                  {...attributes}
                  class="input"
                  value={replaced?.id ?? ""}
                  onChange={({ currentTarget }) => setReplaced(others.find(({ id }) => id === currentTarget.value))}
                >
                  <option value="">A new search</option>
                  {others.map((other) => (
                    <option key={other.id} value={other.id}>
                      In place of “{other.name}”
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          {replaced === undefined && (
            <TextField
              label="Name"
              hint="Filters and order are saved, for all members of your account."
              problem={problemOf("name")}
              autofocus
              maxLength={120}
              value={name}
              set={setName}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

function Saved({ search, close }: { search: SearchView; close: () => void }) {
  return (
    <Dialog title="Save this search" close={close}>
      <p role="status">
        Saved. Everybody in your account finds it under <a href="/dashboard/searches">Saved searches</a>.
      </p>
      <p>
        <a href={`/dashboard/searches/${search.id}`}>Follow it</a> to be notified of changes.
      </p>
      <div class="row end">
        <button type="button" class="button primary" onClick={close}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
