import { useState } from "preact/hooks";
import type { CreatedFeedLink, FollowView } from "../data.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { useSend } from "../session.ts";

/** Creates a feed link and shows it, this once. */
export function CreateFeedLink({ search, close }: { search: FollowView["search"]; close: () => void }) {
  const send = useSend();
  const [created, setCreated] = useState<CreatedFeedLink>();
  const create = async () => setCreated(await send("POST", `/searches/${search.id}/feeds`));
  if (created)
    return (
      <ShownOnce title="Your new feed link" what="the link" because="it is stored only as a hash" close={close}>
        <h3>Atom</h3>
        <CodeBlock code={created.atom} what="the Atom link" wrap />
        <h3>JSON Feed</h3>
        <CodeBlock code={created.json} what="the JSON Feed link" wrap />
      </ShownOnce>
    );
  return (
    <FormDialog title="Create a feed link" action="Create the link" run={create} close={close}>
      <p>
        Anyone with the link sees the newest changes of <b class="anywhere">{search.name}</b>, without signing in. Do
        not publish it. You can revoke it at any time.
      </p>
    </FormDialog>
  );
}
