import type { ComponentChildren } from "preact";

export type Column = string | { name: string; number: true };

/** A table in a box of its own, which scrolls where the screen is narrow. `stacks`: there the cells of a row are below each other instead. */
export function Table({
  label,
  columns,
  stacks = false,
  children,
}: {
  label: string;
  columns: readonly Column[];
  stacks?: boolean;
  children: ComponentChildren;
}) {
  return (
    <div class="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table class={stacks ? "stacks" : undefined}>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === "string" ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.name} scope="col" class="number">
                  {column.name}
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
