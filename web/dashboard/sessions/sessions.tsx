import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import type { SessionRow } from "../data.ts";
import type { RequestFailed } from "../../ui/request.ts";
import { Failed, Reading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { get, useSend, useSession } from "../session.ts";
import { announceSessionChange } from "../session-changes.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";

/** Where somebody is signed in. */
export default function Sessions() {
  const { account, member } = useSession();
  const { route } = useLocation();
  const send = useSend();
  const loaded = useLoad("sessions", (signal) => get("/sessions", signal));
  const [error, setError] = useState<RequestFailed>();
  const [ending, setEnding] = useState<string>();
  const [asking, setAsking] = useState(false);
  const gone = () => {
    announceSessionChange();
    route("/dashboard/sign-in", true);
  };
  const end = async ({ id, is_this }: SessionRow) => {
    setEnding(id);
    setError(undefined);
    try {
      if (is_this) {
        await send("POST", "/sign-out");
        return gone();
      }
      await send("DELETE", `/sessions/${encodeURIComponent(id)}`);
      loaded.reload();
    } catch (failed) {
      setError(failed as RequestFailed);
    }
    setEnding(undefined);
  };
  return (
    <div class="stack">
      <h1>Sessions</h1>
      <p class="measure muted">
        Where <span class="anywhere">{member}</span> is signed in to <span class="anywhere">{account.name}</span>. A
        session ends by itself after 14 days.
      </p>
      {error && <Failed error={error} />}
      <Reading of={loaded} rows={4} />
      {loaded.value && (
        <>
          <ul class="items">
            {loaded.value.map((row) => (
              <li key={row.id}>
                <div>
                  <p class="anywhere">
                    {row.browser} {row.is_this && <strong>(this one)</strong>}
                  </p>
                  <p class="muted">
                    Signed in <When time={row.created_at} />,{" "}
                    {row.last_used_at !== null && (
                      <>
                        last used <When time={row.last_used_at} />,{" "}
                      </>
                    )}
                    ends <When time={row.expires_at} />
                  </p>
                </div>
                <button type="button" class="button" disabled={ending === row.id} onClick={() => void end(row)}>
                  {row.is_this ? "Sign out" : "End"}
                  <span class="visually-hidden"> {row.browser}</span>
                </button>
              </li>
            ))}
          </ul>
          <p>
            <button type="button" class="button danger" onClick={() => setAsking(true)}>
              Sign out everywhere
            </button>
          </p>
        </>
      )}
      {asking && <EverywhereDialog close={() => setAsking(false)} gone={gone} />}
    </div>
  );
}

/** Asks before all sessions end. */
function EverywhereDialog({ close, gone }: { close: () => void; gone: () => void }) {
  const send = useSend();
  const signOut = async () => {
    await send("POST", "/sign-out-everywhere");
    gone();
  };
  return (
    <FormDialog title="Sign out everywhere?" action="Sign out everywhere" danger run={signOut} close={close}>
      <p>
        All your sessions in this account end at once, this one as well. Sign-in links that you have not used stop
        working, and applications that you have connected are disconnected. API keys keep working.
      </p>
    </FormDialog>
  );
}
