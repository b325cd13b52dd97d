import type { SearchView } from "../data.ts";
import { When } from "../../ui/when.tsx";
import { LIST_NAMES } from "../explore/words.ts";
import { FollowButton } from "../follow/follow-button.tsx";
import { filtersOf } from "../follow/filters-of.ts";
import { Figures } from "./figures.tsx";
import "./search-row.css";
import type { News } from "./use-news.ts";

/** A saved search with its rows: open it, follow it, rename it, delete it. */
export function SearchRow({
  search,
  news,
  opened,
  rename,
  remove,
}: {
  search: SearchView;
  news: News | undefined;
  opened: () => void;
  rename: () => void;
  remove: () => void;
}) {
  const { name, list, query } = search;
  const named = <span class="visually-hidden"> {name}</span>;
  return (
    <li>
      <div class="anywhere">
        <a class="search-name" href={`/dashboard/explore/${list}${query === "" ? "" : `?${query}`}`} onClick={opened}>
          {name}
        </a>
        <p class="muted">
          {LIST_NAMES[list]} · saved by {search.created_by} · changed by {search.changed_by}{" "}
          <When time={search.changed_at} />
        </p>
      </div>
      <div class="row search-actions">
        <Figures news={news} />
        {list === "funding" ? (
          <FollowButton followable={{ name, of: { kind: "search", id: search.id }, query: filtersOf(query) }} />
        ) : (
          <a class="button" href={`/dashboard/searches/${search.id}`}>
            Follow
            {named}
          </a>
        )}
        <button type="button" class="button" onClick={rename}>
          Rename
          {named}
        </button>
        <button type="button" class="button danger" onClick={remove}>
          Delete
          {named}
        </button>
      </div>
    </li>
  );
}
