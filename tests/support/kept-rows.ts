import { DatabaseSync } from "node:sqlite";

/** The rows, by id, of a table that a script of the guides keeps in a SQLite file. The script may be running. */
export function keptRows(file: string, table: "rounds" | "rows"): Map<string, unknown> {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const found = db.prepare(`SELECT id, row FROM ${table}`).all() as { id: string; row: string }[];
  db.close();
  return new Map(found.map(({ id, row }) => [id, JSON.parse(row) as unknown]));
}
