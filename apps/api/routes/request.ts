import type { RefusalOf } from "../admission/price-list.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { ApiError, invalidParameters } from "../errors/api-error.ts";
import type { Problem } from "../errors/catalogue.ts";
import { preferredType } from "../present/accept.ts";
import { type Format, MEDIA_TYPES } from "../present/formats.ts";
import { textWithoutCsv } from "@tranche/read-models/parameters/csv-text";
import { abovePlanLimit, cursorProblems, type OrderedList } from "@tranche/read-models/parameters/page";
import type { ParameterTable, Values, ValuesOf } from "@tranche/read-models/parameters/parameter";
import { handlingPreference } from "@tranche/read-models/parameters/preference";
import { readParameters } from "@tranche/read-models/parameters/read";
import type { Call } from "../serve/call.ts";

/** The content of a request, read once: nothing after this reads the query string. */
type ReadQuery<Table extends ParameterTable = ParameterTable> = {
  values: ValuesOf<Table>;
  problems: readonly Problem[];
  /** The format that the caller prefers; undefined when it takes none of the endpoint's. */
  accepted: Format | undefined;
};

/** Reads query string and Accept. It never throws: what is wrong is said later, to callers with a valid key. */
export function readQuery<Table extends ParameterTable>(
  call: Call,
  { parameters, formats }: Pick<Endpoint<Table>, "parameters" | "formats">,
): ReadQuery<Table> {
  return { ...readParameters(parameters, rawQuery(call)), accepted: acceptedFormat(call, formats) };
}

/** The fault of a request on every plan: no format suits the caller, or it has problems. Undefined when it has none. */
export function faultOf(
  { accepted, problems }: Pick<ReadQuery, "accepted" | "problems">,
  formats: readonly Format[],
): ApiError | undefined {
  if (!accepted) return notAcceptable(formats);
  return problems.length > 0 ? invalidParameters(problems) : undefined;
}

/** A request for a page or a document. */
export type ApiRequest<Table extends ParameterTable = ParameterTable> = {
  values: ValuesOf<Table>;
  format: Format;
  problems: readonly Problem[];
  /** The preference of RFC 7240 that the caller sent, if it is a known one. */
  handling: "strict" | "lenient" | undefined;
  /** Why it is refused on this plan; undefined when it is not. */
  refusal: RefusalOf;
};

/**
 * Reads query string, Accept and Prefer. `ofPath`: problems of the path. `list`: the list that the values select, to which a cursor must
 * belong.
 */
export function readRequest<Table extends ParameterTable>(
  call: Call,
  endpoint: Pick<Endpoint<Table>, "parameters" | "formats">,
  { ofPath = [], list }: { ofPath?: readonly Problem[]; list?: (values: Values) => OrderedList } = {},
): ApiRequest<Table> {
  const { values, problems: ofQuery, accepted } = readQuery(call, endpoint);
  const format = accepted ?? "json";
  const read = [...ofPath, ...ofQuery, ...textWithoutCsv(values, format, "Send the header Accept: text/csv")];
  const problems = list ? [...read, ...cursorProblems(values, list(values), read.length === 0)] : read;
  const handling = handlingPreference(call.get("Prefer"));
  return {
    values,
    problems,
    handling,
    format,
    refusal(plan) {
      const strict = handling === "strict" && endpoint.parameters.limit?.capped;
      const all = strict ? [...problems, ...abovePlanLimit(values, plan)] : problems;
      return faultOf({ accepted, problems: all }, endpoint.formats);
    },
  };
}

/** Reports the preference that the answer follows, as RFC 7240 says. */
export function applyPreference(call: Call, { handling }: Pick<ApiRequest, "handling">): void {
  if (handling) call.set("Preference-Applied", `handling=${handling}`);
}

/** The query string, byte for byte. */
function rawQuery(call: Call): string {
  const mark = call.url.indexOf("?");
  return mark < 0 ? "" : call.url.slice(mark + 1);
}

/** A longer Accept header takes milliseconds to parse, also for callers who are refused. Those of browsers have some hundred characters. */
const MAX_ACCEPT_LENGTH = 2048;

/** The first of the formats that the caller prefers by its Accept header; undefined when it takes none of them. */
function acceptedFormat(call: Call, formats: readonly Format[]): Format | undefined {
  const accept = call.get("Accept");
  if (accept === "") return formats[0];
  if (accept.length > MAX_ACCEPT_LENGTH) return undefined;
  const type = preferredType(
    accept,
    formats.map((format) => MEDIA_TYPES[format]),
  );
  return formats.find((format) => MEDIA_TYPES[format] === type);
}

/** 406, with the available formats. */
function notAcceptable(formats: readonly Format[]): ApiError {
  const types = formats.map((format) => MEDIA_TYPES[format]).join(", ");
  return new ApiError(
    "not_acceptable",
    `The Accept header matches no format of this endpoint, or is longer than ${MAX_ACCEPT_LENGTH} characters. This endpoint offers ${types}.`,
  );
}
