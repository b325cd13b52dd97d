import { useState } from "preact/hooks";
import type { SearchView } from "../../../apps/dashboard/routes/searches.ts";
import { Dialog } from "../../ui/dialog.tsx";
import type { RequestFailed } from "../../ui/request.ts";
import { Failed } from "../../ui/states.tsx";
import { useSend } from "../session.ts";

/** Asks before a search is deleted, because it is gone for everybody. */
export function DeleteDialog({ search, done, close }: { search: SearchView; done: () => void; close: () => void }) {
  const send = useSend();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<RequestFailed>();
  const remove = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await send("DELETE", `/searches/${search.id}`);
      done();
    } catch (thrown) {
      const failed = thrown as RequestFailed;
      // Somebody else was faster.
      if (failed.status === 404) return done();
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Dialog title="Delete the search?" close={close} busy={busy}>
      {error && <Failed error={error} />}
      <p class="search-name">“{search.name}” will be gone for all members of your account.</p>
      <div class="row">
        <button type="button" class="button danger" disabled={busy} onClick={() => void remove()}>
          Delete
        </button>
        <button type="button" class="button" disabled={busy} onClick={close}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
