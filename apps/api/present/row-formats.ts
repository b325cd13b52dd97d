import type { FlatRow } from "./table.ts";

/** The forms of a list's rows. */
export type RowFormats<Document> = {
  /** As JSON. */
  row: (document: Document) => string;
  /** The same, parsed. */
  value: (document: Document) => object;
  columns: readonly string[];
  flat: (document: Document) => FlatRow;
  /** Members of every JSON answer beside the rows. */
  catalogue: Readonly<Record<string, unknown>>;
};
