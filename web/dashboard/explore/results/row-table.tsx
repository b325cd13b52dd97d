import type { Column } from "./columns.tsx";
import "./row-table.css";

/** Rows of a list. A column that the API sorts by has a link in its head, to the same result in that order. */
export function RowTable<Row>({
  name,
  columns,
  rows,
  rowKey,
  sort,
  sortHref,
}: {
  /** For screen readers. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The order in force, and the address of the same in another order. */
  sort?: string;
  sortHref?: (sort: string) => string;
}) {
  return (
    // The roles are named, because cards on a phone would lose those of a table.
    <div class="table-scroll row-table-scroll" role="region" aria-label={name} tabIndex={0}>
      <table class="row-table" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Head key={column.head} column={column} sort={sort} sortHref={sortHref} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map(({ head, cell, number, long }) => (
                <td key={head} role="cell" data-head={head} class={number ? "number" : long ? "long" : undefined}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>({
  column: { head, number, asc, desc },
  sort,
  sortHref,
}: {
  column: Column<Row>;
  sort: string | undefined;
  sortHref: ((sort: string) => string) | undefined;
}) {
  const direction =
    sort === undefined ? undefined : sort === asc ? "ascending" : sort === desc ? "descending" : undefined;
  // The other direction, if there is one; otherwise the only one.
  const next = direction === "descending" ? (asc ?? desc) : (desc ?? asc);
  return (
    <th scope="col" role="columnheader" class={number ? "number" : undefined} aria-sort={direction}>
      {next === undefined || sortHref === undefined ? (
        head
      ) : (
        <a class="sort" href={sortHref(next)}>
          {head}
          <span aria-hidden="true">{direction === undefined ? " ↕" : direction === "ascending" ? " ↑" : " ↓"}</span>
        </a>
      )}
    </th>
  );
}
