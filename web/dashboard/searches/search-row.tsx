import type { SearchView } from "../../../apps/dashboard/routes/searches.ts";
import { When } from "../../ui/when.tsx";
import { count } from "../format.ts";
import "./search-row.css";
import type { Counted } from "./use-counts.ts";

const LISTS: Record<SearchView["list"], string> = {
  funding: "Funding rounds",
  signals: "Signals",
  companies: "Companies",
  investors: "Investors",
};

/** A saved search: open it, count its rows, follow it, rename it, delete it. */
export function SearchRow({
  search,
  counted,
  ask,
  rename,
  remove,
}: {
  search: SearchView;
  counted: Counted | undefined;
  ask: () => void;
  rename: () => void;
  remove: () => void;
}) {
  const { name, list, query } = search;
  const named = <span class="visually-hidden"> {name}</span>;
  return (
    <tr>
      <td class="search-name">
        <a href={`/dashboard/explore/${list}${query === "" ? "" : `?${query}`}`}>{name}</a>
      </td>
      <td>{LISTS[list]}</td>
      <td class="search-member">{search.created_by}</td>
      <td title={`by ${search.changed_by}`}>
        <When time={search.changed_at} />
      </td>
      <td class="number">
        {counted?.state === "counted" ? (
          count(counted.count)
        ) : counted?.state === "failed" ? (
          <span class="search-failed">{counted.reason}</span>
        ) : (
          <button type="button" class="button" disabled={counted !== undefined} onClick={ask}>
            {counted === undefined ? "Count" : "Counting …"}
            {named}
          </button>
        )}
      </td>
      <td>
        <div class="search-actions">
          <a class="button" href={`/dashboard/searches/${search.id}`}>
            Follow
            {named}
          </a>
          <button type="button" class="button" onClick={rename}>
            Rename
            {named}
          </button>
          <button type="button" class="button danger" onClick={remove}>
            Delete
            {named}
          </button>
        </div>
      </td>
    </tr>
  );
}
