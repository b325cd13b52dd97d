declare const OF: unique symbol;
/**
 * A row of a list as the JSON that callers get. Elasticsearch and the API pass it on unchanged; an object would be parsed and
 * serialised by both for every answer.
 */
export type RowText<Row> = string & { readonly [OF]?: Row };

export const rowText = <Row extends Record<string, unknown>>(row: Row): RowText<Row> => JSON.stringify(row);

export const rowOf = <Row extends object>(text: RowText<Row>): Row => JSON.parse(text) as Row;
