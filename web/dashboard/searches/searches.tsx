import { useState } from "preact/hooks";
import type { SearchView } from "../data.ts";
import { Empty, Reading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { count } from "../format.ts";
import { get, useSend } from "../session.ts";
import { RenameDialog } from "./rename-dialog.tsx";
import { SearchRow } from "./search-row.tsx";
import { useNews } from "./use-news.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { RequestFailed } from "../../ui/request.ts";

/** So many are shown at first, and more each time that somebody asks: counting each takes a request. */
const SHOWN = 24;

/** The searches that members of the account have saved, with their rows. */
export default function Searches() {
  const loaded = useLoad("searches", (signal) => get("/searches", signal));
  const [most, setMost] = useState(SHOWN);
  const [dialog, setDialog] = useState<{ kind: "rename" | "delete"; search: SearchView }>();
  const searches = loaded.value?.searches;
  const shown = searches?.slice(0, most) ?? [];
  const { news, opened } = useNews(shown);
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
      {shown.length > 0 && (
        <ul class="items" aria-label="Saved searches">
          {shown.map((search) => (
            <SearchRow
              key={search.id}
              search={search}
              news={news[search.id]}
              opened={() => opened(search)}
              rename={() => setDialog({ kind: "rename", search })}
              remove={() => setDialog({ kind: "delete", search })}
            />
          ))}
        </ul>
      )}
      {searches && searches.length > most && (
        <p>
          <button type="button" class="button" onClick={() => setMost(most + SHOWN)}>
            Show more
          </button>{" "}
          <span class="muted">
            {count(most)} of {count(searches.length)}
          </span>
        </p>
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
