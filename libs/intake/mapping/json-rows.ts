import type { Row } from "./condition.ts";

/**
 * Each item of a list in a cell is followed by this character, the unit separator of ASCII. So an item may hold any mark, and a list
 * of one item is a list.
 */
export const ITEM_END = "\u001f";

/**
 * The rows of a JSON value: a member is a column, with a dot between the names of nested ones. The members of objects in a list are
 * lists. `path`: a nested list whose items are a row each, beside the members around it; without items there is one row.
 */
export function jsonRows(value: unknown, path?: string): Row[] {
  return expanded(value, "", path ?? "");
}

function expanded(value: unknown, prefix: string, path: string): Row[] {
  if (Array.isArray(value)) return value.flatMap((item) => expanded(item, prefix, path));
  if (!isObject(value)) return [cells(value, prefix)];
  const around: Record<string, string> = {};
  let inside: Row[] = [];
  for (const [key, member] of Object.entries(value)) {
    const name = prefix === "" ? key : `${prefix}.${key}`;
    if (path === name || path.startsWith(`${name}.`)) inside = expanded(member, name, path);
    else Object.assign(around, cells(member, name));
  }
  return inside.length === 0 ? [around] : inside.map((row) => ({ ...around, ...row }));
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
  return Object.assign({}, ...Object.entries(value).map(([key, member]) => cells(member, `${name}.${key}`)));
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
