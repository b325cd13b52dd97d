import type { KeyView } from "../../../libs/operations/accounts/key-view.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { shownDistance } from "../../ui/when.tsx";
import { useSend } from "../session.ts";

/** Revokes a key after confirmation. */
export function RevokeKey({ item, close }: { item: KeyView; close: (done?: string) => void }) {
  const send = useSend();
  const revoke = async () => {
    await send("POST", `/keys/${item.id}/revoke`);
    close(`The key “${item.name}” is revoked.`);
  };
  return (
    <FormDialog title="Revoke the key" action="Revoke the key" danger run={revoke} close={() => close()}>
      <p>
        <b>{item.name}</b> (<code>{item.prefix}</code>) stops working within one second. Programs that use it are
        refused. This can't be undone.
      </p>
      <p>{item.last_used_at ? `It was last used ${shownDistance(item.last_used_at)}.` : "It was never used."}</p>
    </FormDialog>
  );
}
