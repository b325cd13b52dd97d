import { useState } from "preact/hooks";
import type { SearchView } from "../data.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { RequestFailed } from "../../ui/request.ts";
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
        <Field label="Name" problem={problemOf("name")}>
          {(attributes) => (
            <input
              {...attributes}
              class="input"
              type="text"
              autoFocus
              autoComplete="off"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}
