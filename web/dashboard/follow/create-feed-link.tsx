import type { CreatedFeedLink, FollowView } from "../../../apps/dashboard/routes/feeds.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failed, Notice } from "../../ui/states.tsx";
import { useDialogRequest } from "../keys/use-dialog-request.ts";

/** Creates a feed link and shows it, this once. */
export function CreateFeedLink({ search, close }: { search: FollowView["search"]; close: () => void }) {
  const { send, sending, error, result } = useDialogRequest<CreatedFeedLink>();
  return (
    <Dialog
      title={result ? "Your new feed link" : "Create a feed link"}
      close={close}
      busy={sending || result !== undefined}
    >
      {result ? (
        <>
          <Notice kind="warning">
            <p>
              <strong>Copy the link now.</strong> It is shown only this once, because it is stored only as a hash.
            </p>
          </Notice>
          <h3>Atom</h3>
          <CodeBlock code={result.atom} what="the Atom link" wrap />
          <h3>JSON Feed</h3>
          <CodeBlock code={result.json} what="the JSON Feed link" wrap />
          <div class="row end">
            <button type="button" class="button primary" onClick={close}>
              Done
            </button>
          </div>
        </>
      ) : (
        <>
          {error && <Failed error={error} />}
          <p>
            Anyone with the link sees the newest changes of <b class="anywhere">{search.name}</b>, without signing in.
            Do not publish it. You can revoke it at any time.
          </p>
          <div class="row end">
            <button type="button" class="button" onClick={close} disabled={sending}>
              Cancel
            </button>
            <button
              type="button"
              class="button primary"
              disabled={sending}
              onClick={() => void send(`/searches/${search.id}/feeds`)}
            >
              Create the link
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
