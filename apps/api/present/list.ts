import type { Position } from "@tranche/read-models/query/position";
import { filtersApplied, writeQueryString } from "../parameters/read.ts";
import type { ParameterTable } from "../parameters/parameter.ts";
import type { Warning } from "../parameters/warning.ts";
import { type Answer, answerOf } from "./answer.ts";
import { linkHeader } from "./link.ts";
import type { ListPage } from "./list-page.ts";
import { nextCursor } from "./next-cursor.ts";
import { pagination } from "./pagination.ts";
import { csv, type FlatRow, ndjson } from "./table.ts";
import { warningsHeader } from "./warnings.ts";

/** The forms of a list's rows. */
export type RowFormats<Document> = {
  /** As JSON. */
  row: (document: Document) => string;
  columns: readonly string[];
  flat: (document: Document) => FlatRow;
  /** Members of every JSON answer beside the rows. */
  catalogue: Readonly<Record<string, unknown>>;
};

type PresentedList<Document> = RowFormats<Document> & {
  path: string;
  parameters: ParameterTable;
  sortOptions: readonly string[];
};

/** What was found: `next` is the position after which the next page begins, `warnings` are about the filters. */
export type PresentedPage<Document> = {
  documents: Document[];
  count: number;
  next: Position | undefined;
  warnings: Warning[];
};

/** A page of a list as JSON, CSV or NDJSON, with its links, its count and its warnings. */
export function presentList<Document>(
  list: PresentedList<Document>,
  { format, values, sort, page, withLimit, warnings: ofPage }: ListPage,
  found: PresentedPage<Document>,
): Answer {
  const { documents, count } = found;
  const warnings = [...ofPage, ...found.warnings];
  const applied = filtersApplied(list.parameters, values, sort);
  const next = nextCursor(list.path, applied, found.next);
  const link = linkHeader(list.path, writeQueryString(list.parameters, values), page, withLimit, { count, next });
  const text = values.format === "flat" ? (document: Document) => JSON.stringify(list.flat(document)) : list.row;
  if (format === "json") {
    const rest = {
      ...list.catalogue,
      pagination: pagination(count, page, next),
      filters_applied: applied,
      sort_options: list.sortOptions,
      ...(warnings.length > 0 ? { warnings } : {}),
    };
    const body = `{"data":[${documents.map(text).join(",")}],${JSON.stringify(rest).slice(1)}`;
    return answerOf(format, body, { Link: link });
  }
  const body = format === "csv" ? csv(list.columns, documents.map(list.flat)) : ndjson(documents.map(text));
  return answerOf(format, body, {
    Link: link,
    "X-Total-Count": String(count),
    ...(next === undefined ? {} : { "X-Next-Cursor": next }),
    ...(warnings.length > 0 ? { "X-Warnings": warningsHeader(warnings) } : {}),
  });
}
