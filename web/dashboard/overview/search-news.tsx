import type { ListedSearch } from "../data.ts";
import { Empty } from "../../ui/states.tsx";
import { LIST_NAMES } from "../explore/words.ts";
import { count } from "../format.ts";
import { Figures } from "../searches/figures.tsx";
import { useNews } from "../searches/use-news.ts";

/** More searches than this are only on their own page, because counting each costs a request. */
const MOST_SHOWN = 12;

/** The saved searches with their rows, and how many rows are new or have changed since somebody opened the search in this browser. */
export function SearchNews({ searches }: { searches: readonly ListedSearch[] }) {
  const shown = searches.slice(0, MOST_SHOWN);
  const { news, opened } = useNews(shown);
  if (searches.length === 0) {
    return (
      <Empty title="Nothing is saved yet">
        <p>
          Set filters in <a href="/dashboard/explore">Explore</a> and save them: this page then shows what is new.
        </p>
      </Empty>
    );
  }
  return (
    <section class="stack" aria-labelledby="news-name">
      <div class="row between">
        <h2 id="news-name">Saved searches</h2>
        <a href="/dashboard/searches">
          {searches.length > MOST_SHOWN ? `All ${count(searches.length)}` : "Manage them"}
        </a>
      </div>
      <ul class="items">
        {shown.map((search) => {
          const { id, name, list, query } = search;
          return (
            <li key={id}>
              <div class="anywhere">
                <a
                  class="news-name"
                  href={`/dashboard/explore/${list}${query === "" ? "" : `?${query}`}`}
                  onClick={() => opened(search)}
                >
                  {name}
                </a>
                <p class="muted">{LIST_NAMES[list]}</p>
              </div>
              <Figures news={news[id]} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
