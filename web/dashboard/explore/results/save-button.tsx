import { useState } from "preact/hooks";
import type { SearchesView, SearchView } from "../../../../apps/dashboard/routes/searches.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import type { RequestFailed } from "../../../ui/request.ts";
import { Failed } from "../../../ui/states.tsx";
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
  const saved = useLoad("searches", (signal) => get<SearchesView>("/searches", signal));
  const [replaced, setReplaced] = useState<SearchView>();
  const others = saved.value?.searches.filter(({ list }) => list === explore.list) ?? [];
  const [state, setState] = useState<"editing" | "saving" | "saved">("editing");
  const [error, setError] = useState<RequestFailed>();
  const save = async (event: Event) => {
    event.preventDefault();
    setState("saving");
    setError(undefined);
    try {
      const query = savedQuery(explore.params);
      if (replaced) await send("PUT", `/searches/${replaced.id}`, { query, version: replaced.version });
      else await send("POST", "/searches", { name, list: explore.list, query });
      setState("saved");
    } catch (failed) {
      setError(failed as RequestFailed);
      setState("editing");
    }
  };
  const ofName = error?.parameter === "name";
  return (
    <Dialog title="Save this search" close={close} busy={state === "saving"}>
      {state === "saved" ? (
        <>
          <p role="status">
            Saved. Everybody in your account finds it under <a href="/dashboard/searches">Saved searches</a>.
          </p>
          <p>
            <button type="button" class="button primary" onClick={close}>
              Done
            </button>
          </p>
        </>
      ) : (
        <form class="stack" onSubmit={(event) => void save(event)}>
          {error && !ofName && <Failed error={error} />}
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
            <Field
              label="Name"
              hint="Filters and order are saved, for all members of your account."
              problem={ofName ? error.message : undefined}
            >
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
          )}
          <div class="row">
            <button type="submit" class="button primary" disabled={state === "saving"}>
              Save
            </button>
            <button type="button" class="button" disabled={state === "saving"} onClick={close}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
