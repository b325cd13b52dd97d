import { z } from "zod";
import type { Cell, FlatRow } from "./table.ts";

/** The schema of a column, and its value in a row. */
type Column<Row> = readonly [schema: z.ZodType<Cell>, value: (row: Row) => Cell];

/** Columns by name, in order. */
export type Columns<Row> = Readonly<Record<string, Column<Row>>>;

type FlatTable<Row> = {
  /** The names of the columns, in order. */
  columns: readonly string[];
  /** A row with all columns, in order. */
  flat(this: void, row: Row): FlatRow;
  /** The schema of such a row. */
  schema: z.ZodObject<Record<string, z.ZodType<Cell>>>;
};

/** The columns of a list: CSV, `format=flat` and the schema follow from them. */
export function flatTable<Row>(table: Columns<Row>): FlatTable<Row> {
  const columns = Object.entries(table);
  return {
    columns: Object.freeze(Object.keys(table)),
    flat(row) {
      const flat: FlatRow = {};
      for (const [name, [, value]] of columns) flat[name] = value(row);
      return flat;
    },
    schema: z.strictObject(Object.fromEntries(columns.map(([name, [schema]]) => [name, schema]))),
  };
}
