import { useState } from "preact/hooks";
import type { SearchView } from "../data.ts";
import { Empty, Reading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { count } from "../format.ts";
import { get, useSend } from "../session.ts";
import { RenameDialog } from "./rename-dialog.tsx";
import { SearchRow } from "./search-row.tsx";
import { useCounts } from "./use-counts.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { RequestFailed } from "../../ui/request.ts";

/** The searches that members of the account have saved. */
export default function Searches() {
  const loaded = useLoad("searches", (signal) => get("/searches", signal));
  const { counts, ask } = useCounts();
  const [dialog, setDialog] = useState<{ kind: "rename" | "delete"; search: SearchView }>();
  const searches = loaded.value?.searches;
  const done = () => {
    setDialog(undefined);
    loaded.reload();
  };
  return (
    <div class="stack">
      <h1>Saved searches</h1>
      <p class="muted">Filters under a name, for all members of your account. Save one in Explore.</p>
      <Reading of={loaded} rows={4} />
      {searches?.length === 0 && (
        <Empty title="Nothing is saved yet">
          <p>
            Set filters in <a href="/dashboard/explore">Explore</a>, and choose “Save this search”.
          </p>
        </Empty>
      )}
      {searches && searches.length > 0 && (
        <>
          <div class="row">
            <button type="button" class="button" onClick={() => void ask(searches)}>
              Count the rows of all
            </button>
            <span class="muted">
              Costs {count(searches.length)} {searches.length === 1 ? "request" : "requests"} of your account.
            </span>
          </div>
          <ul class="items" aria-label="Saved searches">
            {searches.map((search) => (
              <SearchRow
                key={search.id}
                search={search}
                counted={counts[search.id]}
                ask={() => void ask([search])}
                rename={() => setDialog({ kind: "rename", search })}
                remove={() => setDialog({ kind: "delete", search })}
              />
            ))}
          </ul>
        </>
      )}
      {dialog?.kind === "rename" && (
        <RenameDialog search={dialog.search} done={done} close={() => setDialog(undefined)} />
      )}
      {dialog?.kind === "delete" && (
        <DeleteDialog search={dialog.search} done={done} close={() => setDialog(undefined)} />
      )}
    </div>
  );
}

/** Asks before a search is deleted, because it is gone for everybody. */
function DeleteDialog({ search, done, close }: { search: SearchView; done: () => void; close: () => void }) {
  const send = useSend();
  const remove = async () => {
    try {
      await send("DELETE", `/searches/${search.id}`);
    } catch (failed) {
      // 404: somebody else was faster.
      if ((failed as RequestFailed).status !== 404) throw failed;
    }
    done();
  };
  return (
    <FormDialog title="Delete the search?" action="Delete" danger run={remove} close={close}>
      <p class="anywhere">“{search.name}” will be gone for all members of your account.</p>
    </FormDialog>
  );
}
