import { type Day, isoDay } from "@tranche/shared/domain/time/day";
import type { Warning } from "@tranche/read-models/parameters/warning";
import { type Format, MEDIA_TYPES } from "./formats.ts";
import type { RowFormats } from "./row-formats.ts";
import { csv, ndjson } from "./table.ts";
import { warningsHeader } from "./warnings.ts";

/** The text of an export: its head, and rows. Together they are one document. */
export type ExportText<Document> = { head: string; rows: (documents: readonly Document[]) => string };

const BYTE_ORDER_MARK = "\ufeff";

/** `excel`: a CSV begins with a byte-order mark. `rawText`: its texts are as they are stored. */
export function exportText<Document>(
  list: Pick<RowFormats<Document>, "row" | "columns" | "flat">,
  { format, excel, rawText }: { format: Format; excel: boolean; rawText: boolean },
): ExportText<Document> {
  if (format !== "csv") return { head: "", rows: (documents) => ndjson(documents.map(list.row)) };
  return {
    head: `${excel ? BYTE_ORDER_MARK : ""}${csv(list.columns, [])}`,
    rows: (documents) => csv(list.columns, documents.map(list.flat), { header: false, rawText }),
  };
}

/** How many rows one request of the quota pays for. */
const ROWS_PER_REQUEST = 1000;

/** The cost of an export of this number of rows: one request for each 1,000 rows begun, at least one. */
export const exportCost = (rows: number): number => Math.max(1, Math.ceil(rows / ROWS_PER_REQUEST));

/** The part of the cost to give back when only `sent` rows were sent. */
export const exportRefund = (rows: number, sent: number): number =>
  exportCost(rows) - Math.ceil(Math.min(sent, rows) / ROWS_PER_REQUEST);

/** Headers that only exports have. `name`: of the list, for the file name. */
export function exportHeaders(of: {
  name: string;
  format: Format;
  count: number;
  warnings: readonly Warning[];
  today: Day;
}): Record<string, string> {
  const { name, format, count, warnings, today } = of;
  return {
    "Content-Type": `${MEDIA_TYPES[format]}; charset=utf-8`,
    "X-Total-Count": String(count),
    "Cache-Control": "private, no-store",
    Vary: "Accept, Accept-Encoding, Authorization",
    ...(format === "csv" ? { "Content-Disposition": `attachment; filename="${name}-${isoDay(today)}.csv"` } : {}),
    ...(warnings.length > 0 ? { "X-Warnings": warningsHeader(warnings) } : {}),
  };
}
