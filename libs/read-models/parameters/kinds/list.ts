import { z } from "zod";
import { shortened } from "../query-string.ts";
import { type Complaint, type Kind, kind, SENT, SHOWN } from "./kind.ts";
import { type ListItem, parted, writtenItem } from "./list-item.ts";
import { type Exclusion, MAX_ITEMS, splitItems } from "./split-list.ts";

/** As many characters as a name has at most; ids have at most 400 bytes. */
const MAX_ITEM_LENGTH = 500;

/** Whether a text is short enough to be an item of a list. */
export const fitsItem = (text: string): boolean =>
  text.length <= MAX_ITEM_LENGTH || Array.from(text).length <= MAX_ITEM_LENGTH;

/** For the docs: a text that an item of a list can be. Not `max(500)`: it would count UTF-16 units, and items are measured in characters. */
export const itemText = z.string().min(1).meta({ maxLength: MAX_ITEM_LENGTH });

/**
 * An item of a list. Items with the same `key` mean the same; `value` is the result. Of items that mean the same only the first is
 * kept, unless `text` distinguishes them.
 */
export type Item = { key: string; value: string; text?: string };

/** Lists whose items may be excluded. */
const EXCLUDING = new WeakSet<z.ZodType>();
const LISTS = new WeakSet<z.ZodType>();

/** Whether a parameter of this kind may be repeated: its items are joined in order. */
export const isList = (of: z.ZodType): boolean => LISTS.has(of);
/** Whether a `!` before an item of this kind excludes it. */
export const isExcluding = (of: z.ZodType): boolean => EXCLUDING.has(of);

type ListParts = {
  /** The schema of an item's value. */
  item: z.ZodType<string, string>;
  /** For the docs: the schema of an item as it is sent, if more texts are accepted than values. */
  sent?: z.ZodType<string>;
  /** Returns an item or its problem. */
  read: (text: string) => Item | Complaint;
};

/** A comma-separated list. Blanks around items are trimmed, duplicates dropped, the order kept. A `!` before an item excludes it. */
export function list({ item, sent = excludable(item), read }: ListParts): Kind<ListItem[]> {
  const made = kind<ListItem[], ListItem[]>({
    schema: z
      .array(z.union([item, z.strictObject({ not: item })]))
      .min(1)
      .max(MAX_ITEMS),
    read: (text) => readItems(text, read, { exclusion: true }),
    write: (items) => items.map(writtenItem).join(","),
  });
  LISTS.add(made);
  EXCLUDING.add(made);
  SENT.set(made, z.array(sent).min(1).max(MAX_ITEMS));
  SHOWN.set(made, z.array(z.string().min(1)).min(1).max(MAX_ITEMS));
  return made;
}

/** A comma-separated list whose items can't be excluded. */
export function plainList({ item, sent = item, read }: ListParts): Kind<string[]> {
  const made = kind<string[], string[]>({
    schema: z.array(item).min(1).max(MAX_ITEMS),
    read(text) {
      const outcome = readItems(text, read, { exclusion: false });
      return "value" in outcome ? { value: parted(outcome.value).plain } : outcome;
    },
    write: (items) => items.map(writtenItem).join(","),
  });
  SENT.set(made, z.array(sent).min(1).max(MAX_ITEMS));
  return repeatable(made);
}

/** Lets callers repeat a parameter of this kind: its items are joined in order. */
export function repeatable<T>(made: Kind<T>): Kind<T> {
  LISTS.add(made);
  return made;
}

function readItems(
  text: string,
  read: ListParts["read"],
  options: Exclusion,
): { value: ListItem[] } | { complaints: Complaint[] } {
  const split = splitItems(text, options);
  if ("code" in split) return { complaints: [split] };
  const items = new Map<string, ListItem>();
  const excludes = new Map<string, boolean>();
  const complaints: Complaint[] = [];
  for (const { text: given, excluded } of split.items) {
    const outcome = tooLong(given) ?? read(given);
    if ("code" in outcome) {
      complaints.push(outcome);
      continue;
    }
    const { key, value, text: distinct = key } = outcome;
    if ((excludes.get(key) ?? excluded) !== excluded) complaints.push(contradiction(given));
    excludes.set(key, excluded);
    if (!items.has(distinct)) items.set(distinct, excluded ? { not: value } : value);
  }
  return complaints.length > 0 ? { complaints } : { value: [...items.values()] };
}

/** For the docs: the values of a closed vocabulary, or the same with a `!` before them. */
function excludable(item: z.ZodType<string>): z.ZodType<string> {
  const words = item instanceof z.ZodEnum ? item.options.join("|") : undefined;
  return words === undefined ? item : z.union([item, z.string().regex(new RegExp(`^!(?:${words})$`))]);
}

function tooLong(item: string): Complaint | undefined {
  if (fitsItem(item)) return undefined;
  const message = `An item of a list has at most ${MAX_ITEM_LENGTH} characters, this one ${Array.from(item).length}.`;
  return { code: "malformed_value", message, value: shortened(item) };
}

function contradiction(item: string): Complaint {
  const message = `'${shortened(item)}' is both included and excluded. Keep one of the two.`;
  return { code: "malformed_value", message, value: shortened(item) };
}
