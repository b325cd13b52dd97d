import type { Problem } from "../errors/catalogue.ts";
import { type Filter } from "@tranche/read-models/query/filters";
import { problemOf, readKind } from "./kinds/kind.ts";
import type { ParameterTable, Read, Values } from "./parameter.ts";
import { parseQueryString } from "./query-string.ts";
import { unknownParameter } from "./unknown-parameter.ts";

/** Reads a raw query string by a table: typed values of all that is right, and every problem there is. */
export function readParameters(table: ParameterTable, rawQuery: string): Read {
  const query = parseQueryString(rawQuery);
  const problems: Problem[] = query.problems.map((problem) =>
    Object.hasOwn(table, problem.parameter) || problem.parameter === ""
      ? problem
      : unknownParameter(table, problem.parameter),
  );
  const read = new Map<string, unknown>();
  for (const [name, text] of query.values) {
    const row = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!row) {
      problems.push(unknownParameter(table, name));
      continue;
    }
    const outcome = readKind(row.kind, text);
    if ("value" in outcome) read.set(name, outcome.value);
    else problems.push(...outcome.complaints.map((complaint) => problemOf(name, complaint)));
  }
  const values = inOrderOf(table, read);
  problems.push(...crossedBounds(table, values));
  return { values, problems };
}

function inOrderOf(table: ParameterTable, read: ReadonlyMap<string, unknown>): Values {
  const values: Record<string, unknown> = {};
  for (const name in table) if (read.has(name)) values[name] = read.get(name);
  return values;
}

/** The conditions that the values make. */
export function filtersOf(table: ParameterTable, values: Values): Filter[] {
  return Object.entries(values).flatMap(([name, value]) => table[name]!.filter?.(value as never, values) ?? []);
}

/** What was sent, normalised: filters, and the order in force. */
export function filtersApplied(table: ParameterTable, values: Values, sort: string): Record<string, unknown> {
  const sent = Object.entries(values).filter(([name]) => !table[name]!.unfiltered && name !== "sort");
  return { ...Object.fromEntries(sent), sort };
}

/** A query string that gives the same values again. */
export function writeQueryString(table: ParameterTable, values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${escaped(table[name]!.kind.encode(value))}`)
    .join("&");
}

/** Commas are left as they are: lists stay readable. */
const escaped = (text: string) => encodeURIComponent(text).replaceAll("%2C", ",");

function crossedBounds(table: ParameterTable, values: Values): Problem[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const { notAbove } = table[name]!;
    const [low, high] = [value, notAbove && values[notAbove]] as [number | string, number | string | undefined];
    if (high === undefined || low <= high) return [];
    const message = `${name} (${low}) is above ${notAbove} (${high}).`;
    return [{ parameter: name, code: "crossed_bounds", message, value: low } satisfies Problem];
  });
}
