import type { Context } from "koa";
import type { Plan } from "@tranche/shared/accounts/plans";
import { ApiError, invalidParameters } from "../errors/api-error.ts";
import type { Problem } from "../errors/catalogue.ts";
import { type Format, MEDIA_TYPES } from "../present/formats.ts";
import { abovePlanLimit } from "../parameters/page.ts";
import type { ParameterTable, Values } from "../parameters/parameter.ts";
import { handlingPreference } from "../parameters/preference.ts";
import { readParameters } from "../parameters/read.ts";

/** All that a caller asks for, read once; nobody looks at the query string after this. */
export type ApiRequest = {
  values: Values;
  format: Format;
  /** Why it has to be refused on this plan, if it has. */
  refusal: (plan: Plan) => ApiError | undefined;
};

/** Reads query string, Accept and Prefer. It never throws: who may not call at all is told that first. */
export function readRequest(ctx: Context, table: ParameterTable, formats: readonly Format[]): ApiRequest {
  const { values, problems } = readParameters(table, rawQuery(ctx.req.url ?? ""));
  const format = acceptedFormat(ctx, formats);
  const handling = handlingPreference(ctx.get("Prefer"));
  if (handling) ctx.set("Preference-Applied", `handling=${handling}`);
  return {
    values,
    format: format ?? "json",
    refusal(plan) {
      if (!format) return notAcceptable(formats);
      const all: Problem[] = [...problems, ...(handling === "strict" ? abovePlanLimit(values, plan) : [])];
      return all.length > 0 ? invalidParameters(all) : undefined;
    },
  };
}

/** What stands behind the first `?`, byte for byte. */
function rawQuery(url: string): string {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
}

function acceptedFormat(ctx: Context, formats: readonly Format[]): Format | undefined {
  if (ctx.get("Accept") === "") return formats[0];
  const type = ctx.accepts(formats.map((format) => MEDIA_TYPES[format]));
  return formats.find((format) => MEDIA_TYPES[format] === type);
}

function notAcceptable(formats: readonly Format[]): ApiError {
  const types = formats.map((format) => MEDIA_TYPES[format]).join(", ");
  return new ApiError("not_acceptable", `The Accept header fits none of ${types}.`);
}
