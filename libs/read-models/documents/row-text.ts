declare const OF: unique symbol;
/**
 * A row of a list as the JSON that callers get. The engine and the API pass it on as it is: as an object it would be taken apart
 * and put together again by both for every answer.
 */
export type RowText<Row> = string & { readonly [OF]?: Row };

/** Indices from before schema 2 have rows as objects, until they are rebuilt: those are taken, too. */
export const rowText = <Row extends object>(row: Row | RowText<Row>): RowText<Row> =>
  typeof row === "string" ? row : JSON.stringify(row);

/** The row that a text tells of; likewise. */
export const rowOf = <Row extends object>(text: RowText<Row> | Row): Row =>
  typeof text === "string" ? (JSON.parse(text) as Row) : text;
