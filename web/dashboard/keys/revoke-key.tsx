import type { KeyView } from "../../../apps/dashboard/routes/keys.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Failed } from "../../ui/states.tsx";
import { shownDistance } from "../../ui/when.tsx";
import { useDialogRequest } from "./use-dialog-request.ts";

/** Revokes a key after confirmation. */
export function RevokeKey({ item, close }: { item: KeyView; close: (done?: string) => void }) {
  const { send, sending, error } = useDialogRequest<KeyView>();
  const revoke = async () => {
    if (await send(`/keys/${item.id}/revoke`)) close(`The key “${item.name}” is revoked.`);
  };
  return (
    <Dialog title="Revoke the key" close={() => close()} busy={sending}>
      {error && <Failed error={error} />}
      <p>
        <b>{item.name}</b> (<code>{item.prefix}</code>) stops working within one second. Programs that use it are
        refused. This can't be undone.
      </p>
      <p>{item.last_used_at ? `It was last used ${shownDistance(item.last_used_at)}.` : "It was never used."}</p>
      <div class="row end">
        <button type="button" class="button" onClick={() => close()} disabled={sending}>
          Cancel
        </button>
        <button type="button" class="button danger" onClick={() => void revoke()} disabled={sending}>
          Revoke the key
        </button>
      </div>
    </Dialog>
  );
}
