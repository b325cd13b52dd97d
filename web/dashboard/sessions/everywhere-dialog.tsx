import { FormDialog } from "../../ui/form-dialog.tsx";
import { useSend } from "../session.ts";

/** Asks before all sessions end. */
export function EverywhereDialog({ close, gone }: { close: () => void; gone: () => void }) {
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
