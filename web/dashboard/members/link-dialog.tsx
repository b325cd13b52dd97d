import { useState } from "preact/hooks";
import type { MemberLink } from "../../../apps/dashboard/routes/members.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import type { RequestFailed } from "../../ui/request.ts";
import { Failed } from "../../ui/states.tsx";
import { useSend } from "../session.ts";

/** Creates a sign-in link of a member and shows it once. */
export function LinkDialog({ email, close }: { email: string; close: () => void }) {
  const send = useSend();
  const [link, setLink] = useState<MemberLink>();
  const [error, setError] = useState<RequestFailed>();
  const [busy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    setError(undefined);
    try {
      setLink((await send<{ data: MemberLink }>("POST", "/members/link", { email })).body.data);
    } catch (failed) {
      setError(failed as RequestFailed);
    }
    setBusy(false);
  };
  return (
    <Dialog title="Sign-in link" close={close} busy={busy}>
      <p>
        Anyone with the link can sign in as <strong class="anywhere">{email}</strong>, once and within 15 minutes. The
        audit log names you beside them in all that is done with it. That session ends when you leave the account or
        sign out everywhere.
      </p>
      {error && <Failed error={error} />}
      {link && (
        <Field label="Link" hint="It is shown only here.">
          {(attributes) => (
            <input
              {...attributes}
              class="input mono"
              readOnly
              value={link.url}
              onFocus={(event) => event.currentTarget.select()}
            />
          )}
        </Field>
      )}
      <div class="row end">
        {link ? (
          <CopyButton text={link.url} what="the link" />
        ) : (
          <button type="button" class="button primary" disabled={busy} onClick={() => void create()}>
            Create a link
          </button>
        )}
        <button type="button" class="button" disabled={busy} onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
