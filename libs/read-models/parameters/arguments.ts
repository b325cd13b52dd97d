import type { ParameterTable } from "./parameter.ts";
import type { Problem } from "./problem.ts";
import { shortened } from "./query-string.ts";
import { isList } from "./kinds/list.ts";
import { writtenItem } from "./kinds/list-item.ts";
import { unknownParameter } from "./unknown-parameter.ts";

/** The arguments of a tool, as they came: any JSON. */
export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Writes arguments as the raw query string that asks for the same, for `readParameters`: so arguments have the limits and the error texts of
 * parameters. A list is an array, or a single value in place of one item; `"!item"` excludes; null stands for an argument that is not
 * given. `problems`: names that the table lacks, and values that no query string can have.
 */
export function writeArguments(table: ParameterTable, given: Arguments): { query: string; problems: Problem[] } {
  const pairs: string[] = [];
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    if (!Object.hasOwn(table, name)) {
      problems.push(unknownParameter(table, shortened(name)));
      continue;
    }
    const ofList = isList(table[name]!.kind);
    const values: unknown[] = Array.isArray(value) ? (value.length === 0 ? [""] : value) : [value];
    for (const each of values) {
      if (isScalar(each)) pairs.push(`${name}=${escaped(ofList ? itemText(String(each)) : String(each))}`);
      else problems.push(notScalar(name, ofList));
    }
  }
  return { query: pairs.join("&"), problems };
}

/** A problem of an argument. A text with commas that is no item is probably a list as a query string has it: then the hint says how to send it. */
export function asArgument(table: ParameterTable, problem: Problem): Problem {
  const { parameter, code, value } = problem;
  const ofList = Object.hasOwn(table, parameter) && isList(table[parameter]!.kind);
  if (!ofList || code !== "unknown_value" || typeof value !== "string" || !value.includes(",")) return problem;
  const [first = "", second = ""] = value.split(",");
  const { suggestion: _, ...others } = problem;
  return { ...others, hint: `Send a list as an array, such as ${JSON.stringify([first.trim(), second.trim()])}.` };
}

const isScalar = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function notScalar(parameter: string, ofList: boolean): Problem {
  const expected = ofList ? "a list of texts, or one text" : "one text, number or boolean";
  return { parameter, code: "malformed_value", message: `${parameter} must be ${expected}.` };
}

/** An item as a query string has it. One that is in quotes already, as `filters_applied` shows some, stays as it is. */
function itemText(text: string): string {
  const item = text.trim();
  const excluded = item.startsWith("!");
  const name = excluded ? item.slice(1).trim() : item;
  if (/^"(?:[^"]|"")*"$/.test(name) || !/[,"]/.test(name)) return item;
  return excluded ? writtenItem({ not: name }) : writtenItem(name);
}

/** Half of a surrogate pair has no UTF-8: the byte in its place has none either, so it is refused like any other. */
const escaped = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : "%FF");
