import { count, countOf } from "../format.ts";
import "./figures.css";
import type { News } from "./use-news.ts";

/** The rows of a saved search, and how many are new. */
export function Figures({ news }: { news: News | undefined }) {
  if (news === undefined) return <span class="muted">…</span>;
  if (news.state === "failed") return <span class="muted news-failed">{news.reason}</span>;
  const { rows, changed } = news;
  return (
    <span class="row">
      {changed !== undefined && changed.count > 0 && (
        <span
          class="news-count"
          title="New rows, and rows that have changed, since this search was opened in this browser"
        >
          {count(changed.count)}
          {changed.more && " or more"} new
        </span>
      )}
      <span class="muted">{countOf(rows, "row")}</span>
    </span>
  );
}
