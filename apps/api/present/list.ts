import type { RowPosition } from "@tranche/read-models/query/row-position";
import { wantsRawText } from "@tranche/read-models/parameters/csv-text";
import { filtersApplied, writeQueryString } from "@tranche/read-models/parameters/read";
import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import type { Warning } from "@tranche/read-models/parameters/warning";
import { type Answer, answerOf } from "./answer.ts";
import { withFields } from "./fields.ts";
import { linkHeader } from "./link.ts";
import type { ListPage } from "./list-page.ts";
import { nextCursor } from "./next-cursor.ts";
import { pagination } from "./pagination.ts";
import type { RowFormats } from "./row-formats.ts";
import { csv, ndjson } from "./table.ts";
import { warningsHeader } from "./warnings.ts";

type PresentedList<Document> = RowFormats<Document> & {
  path: string;
  /** The prefix of links before `path`, where a proxy removes it. */
  publicPath: string;
  parameters: ParameterTable;
  sortOptions: readonly string[];
};

/** A page that was found: `next` is the position after which the next page begins, `warnings` are about the filters. */
export type PresentedPage<Document> = {
  documents: Document[];
  count: number;
  next: RowPosition | undefined;
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
  const query = writeQueryString(list.parameters, values);
  const link = linkHeader(list.publicPath + list.path, query, page, withLimit, { count, next });
  const rows = withFields(list, values.fields);
  const text = values.format === "flat" ? (document: Document) => JSON.stringify(rows.flat(document)) : rows.row;
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
  const body =
    format === "csv"
      ? csv(rows.columns, documents.map(rows.flat), { rawText: wantsRawText(values) })
      : ndjson(documents.map(text));
  return answerOf(format, body, {
    Link: link,
    "X-Total-Count": String(count),
    ...(next === undefined ? {} : { "X-Next-Cursor": next }),
    ...(warnings.length > 0 ? { "X-Warnings": warningsHeader(warnings) } : {}),
  });
}
