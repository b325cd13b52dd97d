import { closest } from "@tranche/shared/text/closest";
import type { Problem } from "../errors/catalogue.ts";
import { type Filter } from "../query/filters.ts";
import { readKind } from "./kinds/kind.ts";
import type { ParameterTable, Read, Values } from "./parameter.ts";
import { parseQueryString } from "./query-string.ts";

/** Reads a raw query string by a table: typed values of all that is right, and every problem there is. */
export function readParameters(table: ParameterTable, rawQuery: string): Read {
  const query = parseQueryString(rawQuery);
  const problems: Problem[] = query.problems.map((problem) =>
    Object.hasOwn(table, problem.parameter) || problem.parameter === ""
      ? problem
      : unknownParameter(table, problem.parameter),
  );
  const values: Record<string, unknown> = {};
  for (const [name, text] of query.values) {
    const row = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!row) {
      problems.push(unknownParameter(table, name));
      continue;
    }
    const outcome = readKind(row.kind, text);
    if ("value" in outcome) values[name] = outcome.value;
    else problems.push(...outcome.complaints.map((complaint) => ({ parameter: name, ...complaint })));
  }
  problems.push(...crossedBounds(table, values));
  return { values, problems };
}

/** The conditions that the values make, in the order of the table. */
export function filtersOf(table: ParameterTable, values: Values): Filter[] {
  return Object.entries(table).flatMap(([name, row]) =>
    values[name] === undefined || !row.filter ? [] : row.filter(values[name] as never, values),
  );
}

/** What was sent, normalised: filters in the order of the table, and the order in force. */
export function filtersApplied(table: ParameterTable, values: Values, sort: string): Record<string, unknown> {
  const sent = Object.entries(table).filter(
    ([name, row]) => values[name] !== undefined && !row.unfiltered && name !== "sort",
  );
  return { ...Object.fromEntries(sent.map(([name]) => [name, values[name]])), sort };
}

/** A query string that gives the same values again, in the order of the table. */
export function writeQueryString(table: ParameterTable, values: Values): string {
  return Object.entries(table)
    .filter(([name]) => values[name] !== undefined)
    .map(([name, row]) => `${name}=${escaped(row.kind.encode(values[name]))}`)
    .join("&");
}

/** Commas are left as they are: lists stay readable. */
const escaped = (text: string) => encodeURIComponent(text).replaceAll("%2C", ",");

function unknownParameter(table: ParameterTable, name: string): Problem {
  const allowed = Object.keys(table);
  const suggestion = closest(name.toLowerCase(), allowed);
  const hint = suggestion ? ` Did you mean '${suggestion}'?` : allowed.length === 0 ? " This address takes none." : "";
  return {
    parameter: name,
    code: "unknown_parameter",
    message: `There is no parameter '${name}' here.${hint}`,
    ...(suggestion ? { suggestion } : {}),
    allowed,
  };
}

function crossedBounds(table: ParameterTable, values: Values): Problem[] {
  return Object.entries(table).flatMap(([name, row]) => {
    const [low, high] = [values[name], row.notAbove && values[row.notAbove]] as [number | string, number | string];
    if (low === undefined || high === undefined || low <= high) return [];
    const message = `${name} (${low}) is above ${row.notAbove} (${high}).`;
    return [{ parameter: name, code: "crossed_bounds", message, value: low } satisfies Problem];
  });
}
