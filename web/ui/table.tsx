import type { ComponentChildren } from "preact";

/** The head of a column. `hidden`: only for those who hear the page. */
export type Column = string | { name: string; number?: true; hidden?: true };

/** A table in a box of its own, which scrolls where the screen is narrow. With the class `stacks` the cells of a row follow each other there instead. */
export function Table({
  label,
  columns,
  class: named,
  children,
}: {
  label: string;
  columns: readonly Column[];
  class?: string;
  children: ComponentChildren;
}) {
  return (
    <div class="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table class={named}>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === "string" ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.name} scope="col" class={column.number && "number"}>
                  {column.hidden ? <span class="visually-hidden">{column.name}</span> : column.name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
