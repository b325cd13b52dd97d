import { z } from "zod";
import type { RowFormats } from "./row-formats.ts";
import { type Cell, type FlatRow, joined } from "./table.ts";

/** The fields of rows: the members of their schema, nested ones with dots, then the columns that are not members. */
export function fieldsOf(row: z.ZodType, columns: readonly string[]): string[] {
  return [...new Set([...membersOf(row), ...columns])];
}

/** The members of an object, each followed by its own; lists have those of their items. */
function membersOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return membersOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return membersOf(schema.element as z.ZodType);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, member]) => [
    name,
    ...membersOf(member).map((nested) => `${name}.${nested}`),
  ]);
}

type Rows<Document> = Pick<RowFormats<Document>, "row" | "value" | "columns" | "flat">;

/** The forms of rows that have only the chosen fields; all of them when none are chosen. */
export function withFields<Document>(list: Rows<Document>, fields: readonly string[] | undefined): Rows<Document> {
  if (!fields) return list;
  const { value, flat, columns } = list;
  const isColumn = new Set(columns);
  const usesColumns = fields.some((field) => isColumn.has(field));
  const chosen = treeOf(fields);
  return {
    value,
    columns: fields,
    row(document) {
      const whole = value(document);
      // A column of the same name as a member is shown in tables only.
      const cells = usesColumns ? flat(document) : {};
      return JSON.stringify(picked({ ...cells, ...whole }, chosen));
    },
    flat(document) {
      const whole = value(document);
      const cells = usesColumns ? flat(document) : {};
      const row: FlatRow = {};
      for (const field of fields) {
        row[field] = isColumn.has(field) ? (cells[field] ?? null) : cellOf(valueAt(whole, field.split(".")));
      }
      return row;
    },
  };
}

/** Members to show, in order; those of a nested object, or the whole. */
type Tree = Map<string, Tree | "whole">;

function treeOf(fields: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const field of fields) {
    const path = field.split(".");
    const last = path.pop()!;
    let parent: Tree | "whole" = root;
    for (const name of path) {
      if (parent === "whole") break;
      const nested: Tree | "whole" = parent.get(name) ?? new Map<string, Tree | "whole">();
      parent.set(name, nested);
      parent = nested;
    }
    if (parent !== "whole") parent.set(last, "whole");
  }
  return root;
}

function picked(value: unknown, tree: Tree | "whole"): unknown {
  if (tree === "whole" || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => picked(item, tree));
  const members = value as Record<string, unknown>;
  return Object.fromEntries([...tree].map(([name, nested]) => [name, picked(members[name], nested)]));
}

/** The value of a nested member; the values of all items where a list is on the way. */
function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, [name, ...rest]));
  return valueAt((value as Record<string, unknown>)[name], rest);
}

/** A value as a cell: lists of scalars are joined, objects are JSON. */
function cellOf(value: unknown): Cell {
  if (Array.isArray(value)) return joined(value.map((item) => String(cellOf(item) ?? "")));
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return (value ?? null) as Cell;
}
