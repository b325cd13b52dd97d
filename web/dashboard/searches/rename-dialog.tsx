import { useState } from "preact/hooks";
import type { SearchView } from "../data.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { RequestFailed } from "../../ui/request.ts";
import { TextField } from "../../ui/text-field.tsx";
import { useSend } from "../session.ts";

/** Renames a search. Changes made by others meanwhile are not overwritten. */
export function RenameDialog({ search, done, close }: { search: SearchView; done: () => void; close: () => void }) {
  const send = useSend();
  const [name, setName] = useState(search.name);
  const [isOld, setIsOld] = useState(false);
  const rename = async () => {
    try {
      await send("PUT", `/searches/${search.id}`, { name, version: search.version });
    } catch (failed) {
      const { code, status } = failed as RequestFailed;
      setIsOld(code === "conflict" || status === 404);
      throw failed;
    }
    done();
  };
  return (
    // After somebody else's change the list is read again.
    <FormDialog title="Rename the search" action="Rename" run={rename} close={isOld ? done : close}>
      {(problemOf) => (
        <TextField label="Name" problem={problemOf("name")} autofocus maxLength={120} value={name} set={setName} />
      )}
    </FormDialog>
  );
}
