import { useState } from "preact/hooks";
import type { MemberLink } from "../data.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useSend } from "../session.ts";

/** Creates a sign-in link of a member and shows it once. */
export function LinkDialog({ email, close }: { email: string; close: () => void }) {
  const send = useSend();
  const [link, setLink] = useState<MemberLink>();
  const create = async () => setLink(await send("POST", "/members/link", { email }));
  const terms = (
    <p>
      Anyone with the link can sign in as <strong class="anywhere">{email}</strong>, once and within 15 minutes. The
      audit log names you beside them in all that is done with it. That session ends when you leave the account or sign
      out everywhere.
    </p>
  );
  if (!link)
    return (
      <FormDialog title="Sign-in link" action="Create a link" run={create} close={close}>
        {terms}
      </FormDialog>
    );
  return (
    <Dialog title="Sign-in link" close={close}>
      {terms}
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
      <div class="row end">
        <CopyButton text={link.url} what="the link" />
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
