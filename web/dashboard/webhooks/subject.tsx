import type { ListFields } from "../../../apps/dashboard/explore/list-fields.ts";
import type { WebhookView } from "../data.ts";
import { filtersText } from "../explore/filters/filter-text.ts";
import { LIST_NAMES } from "../explore/words.ts";

/** What a webhook sends the changes of, as people call it: the list, and its filters once the parameters of the lists are there. */
export function Subject({
  webhook: { list, query },
  fields,
}: {
  webhook: WebhookView;
  fields: ListFields | undefined;
}) {
  const filters = fields && (filtersText(fields[list], query) ?? "all of them");
  return (
    <>
      {LIST_NAMES[list]}
      {filters !== undefined && <span class="muted"> · {filters}</span>}
    </>
  );
}
