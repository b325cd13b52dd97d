import type { Row } from "./condition.ts";

/**
 * Each item of a list in a cell is followed by this character, the unit separator of ASCII. So an item may hold any mark, and a list
 * of one item is a list.
 */
export const ITEM_END = "\u001f";

/**
 * The rows of a JSON value, made one by one: a member is a column, with a dot between the names of nested ones. The members of objects in
 * a list are lists. `path`: a nested list whose items are a row each, beside the members around it; without items there is one row.
 */
export const jsonRows = (value: unknown, path?: string): Generator<Row> => expanded(value, "", path ?? "");

function* expanded(value: unknown, prefix: string, path: string): Generator<Row> {
  if (Array.isArray(value)) {
    for (const item of value) yield* expanded(item, prefix, path);
    return;
  }
  if (!isObject(value)) {
    yield cells(value, prefix);
    return;
  }
  const around: Record<string, string> = {};
  let inside: Iterable<Row> = [];
  for (const [key, member] of Object.entries(value)) {
    const name = prefix === "" ? key : `${prefix}.${key}`;
    if (path === name || path.startsWith(`${name}.`)) inside = expanded(member, name, path);
    else Object.assign(around, cells(member, name));
  }
  let isEmpty = true;
  for (const row of inside) {
    isEmpty = false;
    yield { ...around, ...row };
  }
  if (isEmpty) yield around;
}

function cells(value: unknown, name: string): Record<string, string> {
  if (Array.isArray(value)) {
    const lists: Record<string, string> = {};
    for (const item of value)
      for (const [column, text] of Object.entries(cells(item, name)))
        if (text !== "") lists[column] = (lists[column] ?? "") + (text.endsWith(ITEM_END) ? text : text + ITEM_END);
    return lists;
  }
  if (!isObject(value)) return { [name]: textOf(value) };
  const all: Record<string, string> = {};
  for (const [key, member] of Object.entries(value)) Object.assign(all, cells(member, `${name}.${key}`));
  return all;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const textOf = (value: unknown) => (typeof value === "string" ? value : value === null ? "" : JSON.stringify(value));

/** The paths of nested lists of objects. */
export function listPaths(value: unknown, prefix = ""): string[] {
  if (Array.isArray(value)) {
    const objects = value.filter((item) => isObject(item) && !Array.isArray(item));
    return objects.length === 0
      ? []
      : [...(prefix === "" ? [] : [prefix]), ...objects.flatMap((item) => listPaths(item, prefix))];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => listPaths(member, prefix === "" ? key : `${prefix}.${key}`));
}
