import type { SearchView } from "../data.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { RequestFailed } from "../../ui/request.ts";
import { useSend } from "../session.ts";

/** Asks before a search is deleted, because it is gone for everybody. */
export function DeleteDialog({ search, done, close }: { search: SearchView; done: () => void; close: () => void }) {
  const send = useSend();
  const remove = async () => {
    try {
      await send("DELETE", `/searches/${search.id}`);
    } catch (failed) {
      // 404: somebody else was faster.
      if ((failed as RequestFailed).status !== 404) throw failed;
    }
    done();
  };
  return (
    <FormDialog title="Delete the search?" action="Delete" danger run={remove} close={close}>
      <p class="anywhere">“{search.name}” will be gone for all members of your account.</p>
    </FormDialog>
  );
}
