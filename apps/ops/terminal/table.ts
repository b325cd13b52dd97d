import type { Listing } from "@tranche/operations/accounts/operation";
import Table from "cli-table3";

/** Rows under headings; `empty` when there is none. */
export function table(head: string[], rows: (string | number)[][], empty: string): string {
  if (rows.length === 0) return empty;
  const drawn = new Table({ head, style: { head: [], border: [], compact: true } });
  drawn.push(...rows);
  return drawn.toString();
}

/** A row for each item. */
export function listed<T>(items: readonly T[], { columns, empty }: Listing<T>): string {
  const cells = Object.values(columns);
  const rows = items.map((item) => cells.map((of) => (typeof of === "function" ? of(item) : String(item[of] ?? ""))));
  return table(Object.keys(columns), rows, empty);
}
