import type { Problem } from "./problem.ts";
import type { Filter } from "../query/filters.ts";
import { problemOf, readKind } from "./kinds/kind.ts";
import { isList } from "./kinds/list.ts";
import { type ListItem, shownItem } from "./kinds/list-item.ts";
import { isPlace, type ParameterTable, type Read, type Value, type Values, type ValuesOf } from "./parameter.ts";
import { parseQueryString } from "./query-string.ts";
import { unknownParameter } from "./unknown-parameter.ts";

/** Reads a raw query string by a table: the typed values of all valid parameters, and every problem of the others. */
export function readParameters<Table extends ParameterTable>(table: Table, rawQuery: string): Read<Table> {
  const query = parseQueryString(rawQuery, (name) => Object.hasOwn(table, name) && isList(table[name]!.kind));
  const problems: Problem[] = query.problems.map((problem) =>
    Object.hasOwn(table, problem.parameter) || problem.parameter === ""
      ? problem
      : unknownParameter(table, problem.parameter),
  );
  const read = new Map<string, Value>();
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
  problems.push(...missing(table, values, problems), ...crossedBounds(table, values));
  // Each value was read by the kind of its name's row. TypeScript can't follow that through a loop over names.
  return { values: values as ValuesOf<Table>, problems };
}

function inOrderOf(table: ParameterTable, read: ReadonlyMap<string, Value>): Readonly<Record<string, Value>> {
  const values: Record<string, Value> = {};
  for (const name in table) {
    const value = read.get(name);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** A parameter that was sent: its value, and its row of the table. */
type SentParameter = { name: string; value: Value; row: ParameterTable[string] };

/** The parameters that were sent. A plain loop, because each request calls it several times. */
export function sentParameters(
  table: ParameterTable,
  values: Readonly<Record<string, Value | undefined>>,
): SentParameter[] {
  const found: SentParameter[] = [];
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) found.push({ name, value, row: table[name]! });
  }
  return found;
}

/** The filters of a request to a list, `base` first: the conditions that all rows of the list meet. */
export function filtersOf(table: ParameterTable, values: Values, base: readonly Filter[]): Filter[] {
  return [...base, ...sentParameters(table, values).flatMap(({ value, row }) => row.filter?.(value, values) ?? [])];
}

/** The filters as the API understood them, and the order of the rows. */
export function filtersApplied(table: ParameterTable, values: Values, sort: string): Record<string, ShownValue> {
  const applied: Record<string, ShownValue> = {};
  for (const { name, value, row } of sentParameters(table, values)) {
    if (!row.unfiltered && name !== "sort" && !isPlace(value)) applied[name] = shownValue(value);
  }
  applied["sort"] = sort;
  return applied;
}

/** A value in `filters_applied`. */
type ShownValue = string | number | boolean | string[];

const shownValue = (value: string | number | boolean | ListItem[]): ShownValue =>
  typeof value === "object" ? value.map(shownItem) : value;

/** The canonical query string: reading it gives the same values. */
export function writeQueryString(table: ParameterTable, values: Values): string {
  return sentParameters(table, values)
    .map(({ name, value, row }) => `${name}=${escaped(row.kind.encode(value))}`)
    .join("&");
}

/** Commas are not escaped, so that lists stay readable. */
const escaped = (text: string) => encodeURIComponent(text).replaceAll("%2C", ",");

function missing(
  table: ParameterTable,
  values: Readonly<Record<string, Value>>,
  problems: readonly Problem[],
): Problem[] {
  const missed: Problem[] = [];
  for (const name in table) {
    const { required, example } = table[name]!;
    if (!required || values[name] !== undefined || problems.some(({ parameter }) => parameter === name)) continue;
    const message = `This endpoint needs the parameter '${name}', such as ${name}=${example}.`;
    missed.push({ parameter: name, code: "missing_parameter", message });
  }
  return missed;
}

function crossedBounds(table: ParameterTable, values: Readonly<Record<string, Value>>): Problem[] {
  return sentParameters(table, values).flatMap(({ name, value: low, row: { notAbove } }) => {
    const high = notAbove === undefined ? undefined : values[notAbove];
    if (!isBound(low) || !isBound(high) || low <= high) return [];
    const message = `${name} (${low}) is above ${notAbove} (${high}).`;
    return [{ parameter: name, code: "crossed_bounds", message, value: low } satisfies Problem];
  });
}

const isBound = (value: Value | undefined) => typeof value === "string" || typeof value === "number";
