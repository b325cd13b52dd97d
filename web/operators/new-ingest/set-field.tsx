import { useId } from "preact/hooks";
import type { FileView } from "../../../apps/operators/routes/files.ts";
import type { SetView } from "../../../apps/operators/routes/sets.ts";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { counted } from "../parts/figures.ts";
import { get } from "../session.ts";

/** The set of which a file is everything, and whether more than usual may go. An empty name: the file is of no set. */
export type ChosenSet = { name: string; allowAll: boolean };

/** Names the set of a file, and says what it would delete before it is sent. */
export function SetField({
  chosen,
  set,
  view,
  problem,
}: {
  chosen: ChosenSet;
  set: (chosen: ChosenSet) => void;
  view: FileView;
  problem: string | undefined;
}) {
  const list = useId();
  const sets = useLoad("sets", (signal) => get<SetView[]>("/sets", signal));
  const name = chosen.name.trim();
  return (
    <>
      <Field
        label="Whole set"
        hint="Leave it empty, unless the file is everything that a set has now, as a nightly dump is: then what the set had and the file lacks is deleted."
        problem={problem}
      >
        {(attributes) => (
          <input
            {...attributes}
            class="input"
            autocomplete="off"
            list={list}
            value={chosen.name}
            onInput={({ currentTarget }) => set({ ...chosen, name: currentTarget.value })}
          />
        )}
      </Field>
      <datalist id={list}>
        {(sets.value ?? []).map((each) => (
          <option key={each.name} value={each.name} />
        ))}
      </datalist>
      {name !== "" && (
        <>
          <Notice kind="warning">
            <p>{whatItDeletes(name, sets.value)}</p>
            {view.preview.good < view.preview.rows && (
              <p>Some of the rows above give no records. If one is refused, nothing is deleted.</p>
            )}
          </Notice>
          <label class="row">
            <input
              type="checkbox"
              checked={chosen.allowAll}
              onChange={({ currentTarget }) => set({ ...chosen, allowAll: currentTarget.checked })}
            />
            More than 20 % of the records of a type may go this time
          </label>
        </>
      )}
    </>
  );
}

/** `sets`: undefined while they are not known. */
function whatItDeletes(name: string, sets: readonly SetView[] | undefined): string {
  const rules =
    "when the file is read to its end and no row is refused. Records that another set has stay. Where the set has at least 20 records of a type, at most 20 % of them go at once.";
  if (sets === undefined) return `What the set '${name}' had and this file lacks is deleted, ${rules}`;
  const found = sets.find((each) => each.name === name);
  if (!found)
    return `The set '${name}' is new, so nothing is deleted now. The next file of it deletes what that one lacks.`;
  const has = Object.entries(found.records).map(([type, count]) => counted(count, `${type} record`));
  return `The set '${name}' has ${has.join(", ")}. Those that this file lacks are deleted, ${rules}`;
}
