import type { Field } from "../../../apps/dashboard/explore/list-fields.ts";
import { FilterBar } from "../explore/filters/filter-bar.tsx";
import { readParams, writeParams } from "../explore/request/params.ts";
import { withLabels } from "../explore/words.ts";

/** The filters of a webhook as chips, which is a query string in its request. */
export function FiltersField({
  fields,
  query,
  problem,
  set,
}: {
  fields: readonly Field[];
  query: string;
  problem: string | undefined;
  set: (query: string) => void;
}) {
  return (
    <div class="field">
      <b>Filters</b>
      <FilterBar fields={fields} params={readParams(query)} offered={0} apply={(params) => set(writeParams(params))} />
      <p class="hint">Without any, the changes of all rows are sent.</p>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {withLabels(problem)}
        </p>
      )}
    </div>
  );
}
