import { textWithoutCsv } from "@tranche/read-models/parameters/csv-text";
import { excelInNdjson, explainedForExport, type ExportTable } from "@tranche/read-models/parameters/export";
import type { ValuesOf } from "@tranche/read-models/parameters/parameter";
import type { Context } from "koa";
import type { RefusalOf } from "../admission/price-list.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { ApiError, invalidParameters, planForbidden } from "../errors/api-error.ts";
import type { Format } from "../present/formats.ts";
import { readQuery } from "./request.ts";

/** All that a caller asks for of an export. */
type ExportRequest = {
  values: ValuesOf<ExportTable>;
  format: Format;
  excel: boolean;
  /** Why it is refused on this plan; undefined when it is not. */
  refusal: RefusalOf;
};

/** Reads what a caller asks for, as `readQuery` does. */
export function readExport(ctx: Context, endpoint: Endpoint<ExportTable>): ExportRequest {
  const { values, problems: found, accepted } = readQuery(ctx, endpoint);
  const excel = values.excel ?? false;
  const format = values.format ?? (excel ? "csv" : accepted);
  const problems = [
    ...found.map(explainedForExport),
    ...excelInNdjson(values),
    ...textWithoutCsv(values, format, "Add format=csv"),
  ];
  return {
    values,
    format: format ?? "ndjson",
    excel,
    refusal(plan) {
      if (!plan.export) return planForbidden(plan, ". The list has the same rows in pages.");
      if (problems.length > 0) return invalidParameters(problems);
      return format ? undefined : NOT_JSON;
    },
  };
}

const NOT_JSON = new ApiError(
  "not_acceptable",
  "The Accept header matches no format of an export. Exports offer application/x-ndjson and text/csv; format=ndjson or format=csv in the URL takes precedence over the header.",
);
