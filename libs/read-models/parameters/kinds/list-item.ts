/** An item of a list: plain, or excluded by a `!` before it. */
export type ListItem = string | { readonly not: string };

/** The plain items of a list, and those that it excludes, without their `!`. */
export function parted(items: readonly ListItem[]): { plain: string[]; excluded: string[] } {
  const plain: string[] = [];
  const excluded: string[] = [];
  for (const item of items) {
    if (typeof item === "string") plain.push(item);
    else excluded.push(item.not);
  }
  return { plain, excluded };
}

/** An item as `filters_applied` shows it. Sent back in a list, it is the same item. */
export function shownItem(item: ListItem): string {
  // A comma needs no quotes here: callers quote such items when they make a list.
  return typeof item === "string" ? (/^[!"-]/.test(item) ? inQuotes(item) : item) : writtenItem(item);
}

/** An item as it is written in a list: in double quotes where it would otherwise be read as something else. */
export function writtenItem(item: ListItem): string {
  if (typeof item !== "string") return `!${writtenItem(item.not)}`;
  return /^[!-]|[,"]/.test(item) ? inQuotes(item) : item;
}

const inQuotes = (text: string) => `"${text.replaceAll('"', '""')}"`;
