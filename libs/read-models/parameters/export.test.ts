import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { describe, expect, test } from "vitest";
import { excelInNdjson, explainedForExport, exportParameters } from "./export.ts";
import { fundingParameters } from "./funding.ts";
import { readParameters } from "./read.ts";

const list = fundingParameters(dealTypes());
const table = exportParameters(list);
const problemOf = (query: string) => readParameters(table, query).problems.map(explainedForExport)[0];

test("an export has the filters of its list, and a format", () => {
  const filters = Object.keys(list).filter((name) => list[name as keyof typeof list].filter !== undefined);
  expect(Object.keys(table)).toEqual(expect.arrayContaining([...filters, "format", "excel"]));
  expect(table.country).toBe(list.country);
});

describe("a parameter of a page", () => {
  test.each(["limit=10", "offset=0", "sort=amount_desc", "cursor=x", "page=2", "per_page=50", "order_by=x"])(
    "is none of an export: %s",
    (query) => {
      expect(problemOf(query)).toMatchObject({
        parameter: query.split("=")[0],
        code: "unknown_parameter",
        message: expect.stringContaining("An export has all rows that match the filters, ordered by id.") as string,
      });
      expect(problemOf(query)).not.toHaveProperty("suggestion");
    },
  );

  test("is not what a misspelt filter is taken for", () => {
    expect(problemOf("contry=US")).toMatchObject({ suggestion: "country" });
    expect(problemOf("country=Atlantis")).toMatchObject({ code: "unknown_value" });
  });
});

test("an export has no JSON format", () => {
  expect(problemOf("format=json")?.message).toContain("NDJSON has one JSON object per line");
});

test("a file for Excel is a CSV", () => {
  expect(excelInNdjson({ excel: true, format: "ndjson" })).toMatchObject([{ parameter: "excel" }]);
  for (const values of [{ excel: true }, { excel: true, format: "csv" }, { excel: "false", format: "ndjson" }, {}])
    expect(excelInNdjson(values)).toEqual([]);
});
