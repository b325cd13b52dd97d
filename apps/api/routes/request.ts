import type { Context } from "koa";
import type { Plan } from "@tranche/shared/accounts/plans";
import { ApiError, invalidParameters } from "../errors/api-error.ts";
import type { Problem } from "../errors/catalogue.ts";
import { type Format, MEDIA_TYPES } from "../present/formats.ts";
import { abovePlanLimit, cursorProblems, type OrderedList } from "@tranche/read-models/parameters/page";
import type { ParameterTable, Values } from "@tranche/read-models/parameters/parameter";
import { handlingPreference } from "@tranche/read-models/parameters/preference";
import { readParameters } from "@tranche/read-models/parameters/read";

/** A parsed request, read once: nothing after this reads the query string. */
export type ApiRequest = {
  values: Values;
  format: Format;
  problems: readonly Problem[];
  /** The preference of RFC 7240 that the caller sent, if it is a known one. */
  handling: "strict" | "lenient" | undefined;
  /** Why it is refused on this plan; undefined when it is not. */
  refusal: (plan: Plan) => ApiError | undefined;
};

/**
 * Reads query string, Accept and Prefer. It never throws: `refusal` says later what is wrong. `ofPath`: problems of the path. `list`:
 * the list that the values select, to which a cursor must belong.
 */
export function readRequest(
  ctx: Context,
  table: ParameterTable,
  formats: readonly Format[],
  { ofPath = [], list }: { ofPath?: readonly Problem[]; list?: (values: Values) => OrderedList } = {},
): ApiRequest {
  const { values, problems: ofQuery } = readParameters(table, rawQuery(ctx));
  const read = [...ofPath, ...ofQuery];
  const problems = list ? [...read, ...cursorProblems(values, list(values), read.length === 0)] : read;
  const format = acceptedFormat(ctx, formats);
  const handling = handlingPreference(ctx.get("Prefer"));
  return {
    values,
    problems,
    handling,
    format: format ?? "json",
    refusal(plan) {
      if (!format) return notAcceptable(formats);
      const strict = handling === "strict" && table.limit?.capped;
      const all: readonly Problem[] = strict ? [...problems, ...abovePlanLimit(values, plan)] : problems;
      return all.length > 0 ? invalidParameters(all) : undefined;
    },
  };
}

/** Reports the preference that the answer follows, as RFC 7240 says. */
export function applyPreference(ctx: Context, { handling }: ApiRequest): void {
  if (handling) ctx.set("Preference-Applied", `handling=${handling}`);
}

/** The query string, byte for byte. */
export function rawQuery(ctx: Context): string {
  const url = ctx.req.url ?? "";
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
}

/** A longer Accept header takes milliseconds to parse, also for callers who are refused. Those of browsers have some hundred characters. */
const MAX_ACCEPT_LENGTH = 2048;

/** The first of the formats that the Accept header likes best; undefined when it takes none of them. */
export function acceptedFormat(ctx: Context, formats: readonly Format[]): Format | undefined {
  const accept = ctx.get("Accept");
  if (accept === "") return formats[0];
  if (accept.length > MAX_ACCEPT_LENGTH) return undefined;
  const type = ctx.accepts(formats.map((format) => MEDIA_TYPES[format]));
  return formats.find((format) => MEDIA_TYPES[format] === type);
}

/** 406, with the formats that there are. */
export function notAcceptable(formats: readonly Format[]): ApiError {
  const types = formats.map((format) => MEDIA_TYPES[format]).join(", ");
  return new ApiError(
    "not_acceptable",
    `The Accept header matches no format of this endpoint, or is longer than ${MAX_ACCEPT_LENGTH} characters. It offers ${types}.`,
  );
}
