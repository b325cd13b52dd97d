import { describe, expect, test } from "vitest";
import { exportCost, exportHeaders, exportRefund, exportText } from "./export.ts";

const LIST = {
  row: ({ id }: { id: string }) => JSON.stringify({ id }),
  columns: ["id"],
  flat: ({ id }: { id: string }) => ({ id }),
};
const rows = [{ id: "a" }, { id: "b,c" }];

describe("the text of an export", () => {
  test("is a row per line in NDJSON", () => {
    const { head, rows: text } = exportText(LIST, { format: "ndjson", excel: false, rawText: false });
    expect([head, text(rows), text([])]).toEqual(["", '{"id":"a"}\n{"id":"b,c"}\n', ""]);
  });

  test("has one header row in CSV, after a byte-order mark for Excel", () => {
    const { head, rows: text } = exportText(LIST, { format: "csv", excel: false, rawText: false });
    expect([head, text(rows), text([])]).toEqual(["id\r\n", 'a\r\n"b,c"\r\n', ""]);
    expect(exportText(LIST, { format: "csv", excel: true, rawText: false }).head).toBe("\ufeffid\r\n");
  });
});

test.each([
  [0, 1],
  [1, 1],
  [1000, 1],
  [1001, 2],
  [31_679, 32],
])("an export of %i rows costs %i", (count, cost) => expect(exportCost(count)).toBe(cost));

test.each([
  [10_000, 0, 10],
  [10_000, 1, 9],
  [10_000, 2000, 8],
  [10_000, 2001, 7],
  [10_000, 10_000, 0],
  [0, 0, 1],
])("of %i rows, with %i sent, %i requests are given back", (count, sent, refund) =>
  expect(exportRefund(count, sent)).toBe(refund),
);

test("only a CSV is a file by its headers", () => {
  const of = { name: "funding", count: 3, warnings: [], today: 16_009 };
  expect(exportHeaders({ ...of, format: "csv" })).toEqual({
    "Content-Type": "text/csv; charset=utf-8",
    "X-Total-Count": "3",
    "Cache-Control": "private, no-store",
    Vary: "Accept, Accept-Encoding, Authorization",
    "Content-Disposition": 'attachment; filename="funding-2013-10-31.csv"',
  });
  expect(exportHeaders({ ...of, format: "ndjson" })).not.toHaveProperty("Content-Disposition");
});
