import type { RequestFailed } from "../../ui/request.ts";
import { writeParams } from "../explore/request/params.ts";
import { ApiFailed } from "../explore/results/api-failed.tsx";

const LISTS = { company: "companies", investor: "investors" } as const;

/** A look-up that failed. Somebody who followed an old or mistyped address is led to the list, with what was typed as a name. */
export function LookUpFailed({
  error,
  what,
  id,
  retry,
}: {
  error: RequestFailed;
  what: keyof typeof LISTS;
  /** As it was asked for. */
  id: string;
  retry: () => void;
}) {
  if (error.status !== 404) return <ApiFailed error={error} retry={retry} />;
  const name = id.replace(/^(?:co|inv)-/, "").replaceAll("-", " ");
  return (
    <div class="stack anywhere">
      <h1>There is no such {what}</h1>
      <p>Nothing has the id or the name “{id}”. It may have been removed, or the address has a mistake.</p>
      <p class="row">
        <a class="button primary" href={`/dashboard/explore/${LISTS[what]}?${writeParams([["q", name]])}`}>
          Search {LISTS[what]} for “{name}”
        </a>
        <a href={`/dashboard/explore/${LISTS[what]}`}>All {LISTS[what]}</a>
      </p>
    </div>
  );
}
