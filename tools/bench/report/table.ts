import Table from "cli-table3";

/** Rows under headings, numbers to the right. */
export function table(head: string[], rows: (string | number)[][]): string {
  const colAligns = head.map((_, column) =>
    typeof rows[0]?.[column] === "number" ? ("right" as const) : ("left" as const),
  );
  const drawn = new Table({ head, colAligns, style: { head: [], border: [], compact: true } });
  drawn.push(...rows);
  return drawn.toString();
}
