import type { Context } from "koa";
import type { Plan } from "@tranche/shared/accounts/plans";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { ApiError, invalidParameters } from "../errors/api-error.ts";
import { excelInNdjson, explainedForExport } from "@tranche/read-models/parameters/export";
import type { Values } from "@tranche/read-models/parameters/parameter";
import { readParameters } from "@tranche/read-models/parameters/read";
import type { Format } from "../present/formats.ts";
import { acceptedFormat, rawQuery } from "./request.ts";

/** All that a caller asks for of an export. */
export type ExportRequest = {
  values: Values;
  format: Format;
  excel: boolean;
  /** Why it is refused on this plan; undefined when it is not. */
  refusal: (plan: Plan) => ApiError | undefined;
};

/** Reads query string and Accept. It never throws: `refusal` says later what is wrong. */
export function readExport(ctx: Context, { parameters, formats }: Endpoint): ExportRequest {
  const { values, problems: found } = readParameters(parameters, rawQuery(ctx));
  const excel = values["excel"] === "true";
  const format = (values.format as Format | undefined) ?? (excel ? "csv" : acceptedFormat(ctx, formats));
  const problems = [...found.map(explainedForExport), ...excelInNdjson(values)];
  return {
    values,
    format: format ?? "ndjson",
    excel,
    refusal(plan) {
      if (!plan.export) return planForbidden(plan);
      if (problems.length > 0) return invalidParameters(problems);
      return format ? undefined : NOT_JSON;
    },
  };
}

const planForbidden = (plan: Plan) =>
  new ApiError("plan_forbidden", `The plan ${plan.name} has no exports. The list has the same rows in pages.`);

const NOT_JSON = new ApiError(
  "not_acceptable",
  "The Accept header matches no format of an export. It offers application/x-ndjson and text/csv; format=ndjson or format=csv in the URL takes precedence over the header.",
);
