import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import type { RequestFailed } from "../../ui/request.ts";
import { Failed } from "../../ui/states.tsx";
import { useSend } from "../session.ts";

/** Asks before all sessions end. */
export function EverywhereDialog({ close, gone }: { close: () => void; gone: () => void }) {
  const send = useSend();
  const [error, setError] = useState<RequestFailed>();
  const [busy, setBusy] = useState(false);
  const signOut = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await send("POST", "/sign-out-everywhere");
      gone();
    } catch (failed) {
      setError(failed as RequestFailed);
      setBusy(false);
    }
  };
  return (
    <Dialog title="Sign out everywhere?" close={close} busy={busy}>
      <p>
        All your sessions in this account end at once, this one as well. Sign-in links that you have not used stop
        working. API keys keep working.
      </p>
      {error && <Failed error={error} />}
      <div class="row end">
        <button type="button" class="button" disabled={busy} onClick={close}>
          Cancel
        </button>
        <button type="button" class="button danger" disabled={busy} onClick={() => void signOut()}>
          Sign out everywhere
        </button>
      </div>
    </Dialog>
  );
}
