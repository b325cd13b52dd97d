import { useLocation } from "preact-iso";
import { Empty } from "../../../ui/states.tsx";
import { count } from "../../format.ts";
import type { ListPage, Row } from "../api-rows.ts";
import { hrefOf, type ExploreState, restarted } from "../request/explore-state.ts";
import { withParams } from "../request/params.ts";
import type { Column } from "./columns.tsx";
import { rememberPageSize } from "./page-size.ts";
import { RowTable } from "./row-table.tsx";

/** Where the page before a page is, for pages that were reached from it. Cursors lead only forward. */
const before = new Map<string, string>();

/**
 * A page of results as a table, with the ways to other pages. `shown` is what the page was asked for: while the next one is on its way,
 * `explore` is ahead of it.
 */
export function PageView({
  explore,
  shown,
  page,
  columns,
  sizes,
}: {
  explore: ExploreState;
  shown: ExploreState;
  page: ListPage;
  columns: readonly Column<Row>[];
  sizes: readonly number[];
}) {
  const { pagination } = page;
  if (pagination.count === 0) {
    return (
      <Empty title="Nothing matches these filters">
        <p>Clear a filter, or switch one from “is” to “not”.</p>
      </Empty>
    );
  }
  const sort = typeof page.filters_applied["sort"] === "string" ? page.filters_applied["sort"] : "";
  return (
    <>
      <RowTable<Row>
        name="Rows"
        columns={columns}
        rows={page.data}
        rowKey={(row) => ("id" in row ? row.id : row.company.id)}
        sort={sort}
        sortHref={(next) => hrefOf(restarted(explore, { sort: next }))}
      />
      <Pages explore={explore} shown={shown} page={page} sizes={sizes} />
    </>
  );
}

function Pages({
  explore,
  shown,
  page: { pagination, data },
  sizes,
}: {
  explore: ExploreState;
  shown: ExploreState;
  page: ListPage;
  sizes: readonly number[];
}) {
  const { route } = useLocation();
  const here = hrefOf(shown);
  const { next_cursor: cursor, count: all, limit } = pagination;
  const next =
    cursor === null
      ? undefined
      : hrefOf({
          ...shown,
          params: withParams(shown.params, { cursor, offset: undefined }),
          page: shown.page + 1,
        });
  const previous = before.get(here);
  const first = pagination.offset ?? (shown.page - 1) * limit;
  return (
    <nav class="row pages" aria-label="Pages of results">
      <span class="muted">
        {data.length === 0
          ? "This page is past the end."
          : `Rows ${count(first + 1)}–${count(first + data.length)} of ${count(all)}`}
      </span>
      {shown.page > 1 && (
        <a class="button" href={hrefOf(restarted(explore))}>
          First page
        </a>
      )}
      {previous !== undefined && (
        <a class="button" href={previous}>
          Previous
        </a>
      )}
      {next !== undefined && (
        <a class="button" href={next} onClick={() => before.set(next, here)}>
          Next
        </a>
      )}
      <label class="page-size muted">
        Rows per page
        <select
          class="input"
          value={String(limit)}
          onChange={({ currentTarget: { value } }) => {
            rememberPageSize(value);
            route(hrefOf(restarted(explore, { limit: value })));
          }}
        >
          {[...new Set([...sizes, limit])]
            .toSorted((a, b) => a - b)
            .map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
        </select>
      </label>
    </nav>
  );
}
