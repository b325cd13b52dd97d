import { uriTooLong, MAX_URL_BYTES } from "@tranche/http/server/request-fault";
import { type Arguments, asArgument, writeArguments } from "@tranche/read-models/parameters/arguments";
import type { ParameterTable, Values } from "@tranche/read-models/parameters/parameter";
import { readParameters, writeQueryString } from "@tranche/read-models/parameters/read";
import { ApiError, invalidParameters } from "../errors/api-error.ts";
import type { Target, Tool } from "./tools.ts";
import type { ToolEndpoints } from "./tool-endpoints.ts";

/** The request that the arguments of a tool make to an endpoint. */
export type Asked = {
  target: Target;
  values: Values;
  /** Path and query string of the same request over HTTP. `limit` takes the place of the one that was asked for. */
  url: (limit?: number) => string;
};

/** The values of arguments. Throws `invalid_parameter` for what is wrong with them, and for names that `named` lacks. */
export function readGiven(table: ParameterTable, given: Arguments, named = table): Values {
  const { query, problems } = writeArguments(named, given);
  const read = readParameters(table, query);
  const all = [...problems, ...read.problems].map((problem) => asArgument(table, problem));
  if (all.length > 0) throw invalidParameters(all);
  return read.values;
}

/** The request of arguments, with the members of rows that the tool shows unless others are chosen. Throws `invalid_parameter` and `uri_too_long`. */
export function readArguments(tool: Tool, endpoints: ToolEndpoints, given: Arguments): Asked {
  const isOwn = ([name]: [string, unknown]) => Object.hasOwn(tool.own, name);
  const all = Object.entries(given);
  const own = readGiven(tool.own, Object.fromEntries(all.filter(isOwn)));
  const target = tool.targetOf(own)!;
  const { path, parameters } = endpoints[target.endpoint] as { path: string; parameters: ParameterTable };
  const others = withColumns(target, Object.fromEntries(all.filter((each) => !isOwn(each))));
  const values = readGiven(parameters, others, { ...tool.own, ...parameters });
  const at = path.replace("{id}", () => encodeURIComponent(own["id"] as string));
  const written = (shown: Values) => {
    const text = writeQueryString(parameters, shown);
    return text === "" ? at : `${at}?${text}`;
  };
  const whole = written(values);
  if (whole.length > MAX_URL_BYTES - LIMIT_BYTES) throw new ApiError(uriTooLong.code, uriTooLong.message);
  const url = (limit = values.limit) => (limit === values.limit ? whole : written({ ...values, limit }));
  return { target, values, url };
}

/**
 * The same for arguments that ask for the same. Undefined for values that no parameter has: JSON that is nested deeply can't be written
 * again, and a number that is too large would be written as null.
 */
export function keyOfArguments({ title }: Tool, given: Arguments): string | undefined {
  const isStrange = (value: unknown) =>
    (typeof value === "object" && value !== null) || (typeof value === "number" && !Number.isFinite(value));
  const values = Object.values(given).flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
  return values.some(isStrange) ? undefined : `${title}\n${JSON.stringify(given)}`;
}

/** Room for the limit that is shown. */
const LIMIT_BYTES = 32;

const withColumns = ({ columns }: Target, given: Arguments): Arguments =>
  columns === undefined || (given["fields"] !== undefined && given["fields"] !== null)
    ? given
    : { ...given, fields: columns };
