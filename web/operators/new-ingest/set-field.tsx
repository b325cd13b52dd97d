import { useId } from "preact/hooks";
import type { FileView, SetView } from "../data.ts";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { get } from "../session.ts";
import { whatItDeletes } from "./what-it-deletes.ts";

const PAUSE_MS = 250;

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
  const sets = useLoad("sets", (signal) => get("/sets", signal));
  const name = chosen.name.trim();
  // The list has the first sets only, and those of when the page opened.
  const found = useSet(name);
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
            <p>{whatItDeletes(name, found)}</p>
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

/** The set of a name, once typing has paused; `null` where there is none, undefined while that is not known. */
function useSet(name: string): SetView | null | undefined {
  const { value } = useLoad(name, async (signal) => {
    if (name === "") return undefined;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const [found = null] = await get(`/sets?name=${encodeURIComponent(name)}`, signal);
    return { name, found };
  });
  return value?.name === name ? value.found : undefined;
}
