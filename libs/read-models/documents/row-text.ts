declare const OF: unique symbol;
/**
 * A row of a list as the JSON that callers get. Elasticsearch and the API pass it on unchanged; an object would be parsed and
 * serialised by both for every answer.
 */
export type RowText<Row> = string & { readonly [OF]?: Row };

/** The text of a row. Indices from before schema 2 hold rows as objects until they are rebuilt. */
export const rowText = <Row extends object>(row: Row | RowText<Row>): RowText<Row> =>
  typeof row === "string" ? row : JSON.stringify(row);

/** The row of a text, or of an object from before schema 2. */
export const rowOf = <Row extends object>(text: RowText<Row> | Row): Row =>
  typeof text === "string" ? (JSON.parse(text) as Row) : text;
