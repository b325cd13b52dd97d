import { either, type Filter } from "../query/filters.ts";
import { type ListItem, parted } from "./kinds/list-item.ts";

/** Where the items of a list are looked for. */
export type Searched<Document = Record<string, unknown>> = {
  field: keyof Document & string;
  /** The field with ids, which items may also be, letter for letter. */
  ids?: keyof Document & string;
  /** The keys by which an item is found, any of them; the first is the usual one. Default: the item itself. */
  keys?: (item: string) => readonly [string, ...string[]];
};

/** The conditions of a list: any or all of its plain items, and none of those that it excludes. */
export function listFilters<Document = Record<string, unknown>>(
  { field, ids, keys = (item) => [item] }: Searched<NoInfer<Document>>,
  items: readonly ListItem[],
  match: "any" | "all" = "any",
): Filter[] {
  const { plain, excluded } = parted(items);
  const keysOf = (some: readonly string[]) => [...new Set(some.flatMap(keys))];
  const anyItem = (some: readonly string[]) =>
    either([{ field, anyOf: keysOf(some) }, ...(ids === undefined ? [] : [{ field: ids, anyOf: some }])]);
  const included = match === "all" ? plain.flatMap((item) => anyItem([item])) : plain.length > 0 ? anyItem(plain) : [];
  if (excluded.length === 0) return included;
  const noItem: Filter[] = [{ field, noneOf: keysOf(excluded) }];
  if (ids !== undefined) noItem.push({ field: ids, noneOf: excluded });
  return [...included, ...noItem];
}
