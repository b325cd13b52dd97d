import Table from "cli-table3";

/** Rows under headings; `empty` when there is none. */
export function table(head: string[], rows: (string | number)[][], empty: string): string {
  if (rows.length === 0) return empty;
  const drawn = new Table({ head, style: { head: [], border: [], compact: true } });
  drawn.push(...rows);
  return drawn.toString();
}
