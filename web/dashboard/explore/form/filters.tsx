import type { Field } from "../../../../apps/dashboard/explore/list-fields.ts";
import type { Problem } from "../../../ui/request.ts";
import { type Draft, filled } from "../request/draft.ts";
import { GROUPS, UNSHOWN } from "../words.ts";
import { FieldControl } from "./field-control.tsx";
import "./filters.css";

type Group = { name: string; fields: { field: Field; label: string }[] };

/** The form of a list, made from its parameters. */
export function Filters({
  fields,
  draft,
  problems,
  change,
  submit,
  clear,
}: {
  fields: readonly Field[];
  draft: Draft;
  problems: readonly Problem[];
  change: (draft: Draft) => void;
  submit: () => void;
  clear: () => void;
}) {
  return (
    <form
      class="filters"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div class="filter-actions">
        <button type="submit" class="button primary">
          Show results
        </button>
        <button type="button" class="button" onClick={clear}>
          Clear
        </button>
      </div>
      {groupsOf(fields).map(({ name, fields: grouped }, position) => {
        const names = grouped.map(({ field }) => field.name);
        const used = filled(names, draft);
        const wrong = problems.some(({ parameter }) => names.includes(parameter));
        return (
          <details key={name} class="filter-group" open={position < 3 || used > 0 || wrong}>
            <summary>
              {name}
              {used > 0 && <span class="filter-count">{used}</span>}
            </summary>
            <div class="filter-fields">
              {grouped.map(({ field, label }) => (
                <FieldControl
                  key={field.name}
                  field={field}
                  label={label}
                  value={draft[field.name] ?? ""}
                  problems={problems.filter(({ parameter }) => parameter === field.name)}
                  change={(value) => change({ ...draft, [field.name]: value })}
                />
              ))}
            </div>
          </details>
        );
      })}
    </form>
  );
}

/** The fields by group; those that no group names come last. */
function groupsOf(fields: readonly Field[]): Group[] {
  const shown = fields.filter(({ name }) => !UNSHOWN.has(name));
  const named = new Set(GROUPS.flatMap(([, labels]) => Object.keys(labels)));
  const groups = GROUPS.map(([name, labels]) => ({
    name,
    fields: Object.entries(labels).flatMap(([parameter, label]) => {
      const field = shown.find((one) => one.name === parameter);
      return field ? [{ field, label }] : [];
    }),
  }));
  const others = shown.filter(({ name }) => !named.has(name)).map((field) => ({ field, label: field.name }));
  return [...groups, { name: "More", fields: others }].filter((group) => group.fields.length > 0);
}
