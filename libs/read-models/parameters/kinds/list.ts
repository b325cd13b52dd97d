import { z } from "zod";
import { RAW_PLUS, REPEATED, shortened } from "../query-string.ts";
import { type Complaint, type Kind, kind, SENT, SHOWN } from "./kind.ts";
import { type ListItem, parted, writtenItem } from "./list-item.ts";

const MAX_ITEMS = 50;
const MAX_ITEM_LENGTH = 100;

/**
 * An item of a list. Items with the same `key` mean the same; `value` is the result. Of items that mean the same only the first is
 * kept, unless `text` tells them apart.
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

type Exclusion = {
  /** Whether `!` and `-` at the beginning of an item have a meaning. */
  exclusion: boolean;
};

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
  const length = Array.from(item).length;
  if (length <= MAX_ITEM_LENGTH) return undefined;
  const message = `An item of a list has at most ${MAX_ITEM_LENGTH} characters, this one ${length}.`;
  return { code: "malformed_value", message, value: shortened(item) };
}

function contradiction(item: string): Complaint {
  const message = `'${shortened(item)}' is both included and excluded. Keep one of the two.`;
  return { code: "malformed_value", message, value: shortened(item) };
}

/** An item as it was sent: its text without quotes and `!`. */
export type SentItem = { text: string; excluded: boolean };

/**
 * Splits a list at its commas, and where the parameter was repeated. An item that begins with a double quote ends at the next quote
 * that is not doubled.
 */
export function splitItems(
  text: string,
  { exclusion }: Exclusion = { exclusion: true },
): { items: SentItem[] } | Complaint {
  const items: SentItem[] = [];
  let count = 0;
  for (const part of text.split(REPEATED)) {
    for (let at = 0; ; at++) {
      const { end, ...sent } = itemAt(part, at, exclusion);
      // Items above the limit are only counted.
      if (++count <= MAX_ITEMS) {
        const item = itemOf(sent, exclusion);
        if ("code" in item) return item;
        items.push(item);
      }
      at = end;
      if (at >= part.length) break;
    }
  }
  if (count <= MAX_ITEMS) return { items };
  const message = `A list has at most ${MAX_ITEMS} items, this one ${count}.`;
  return { code: "too_many_items", message, value: count };
}

/** An item between two commas. The content is undefined when a quote is not closed or text follows the closing quote. */
type RawItem = { raw: string; content: string | undefined; isQuoted: boolean; excluded: boolean };

function itemOf({ raw, content, isQuoted, excluded }: RawItem, exclusion: boolean): SentItem | Complaint {
  if (content === undefined) {
    return malformed(`An item that begins with a double quote must end with one; inside, "" stands for a quote.`, raw);
  }
  if (raw.endsWith(RAW_PLUS) || content.endsWith(RAW_PLUS)) {
    return malformed(
      "An item ends in '+', which means a blank in an address. Write a plus as %2B, such as C%2B%2B.",
      raw,
    );
  }
  const text = content.replaceAll(RAW_PLUS, " ").trim();
  if (text === "") {
    return excluded
      ? malformed("A '!' has no item after it. Write the item to exclude after it, such as !US.", raw)
      : malformed("The list has an empty item.", raw);
  }
  if (exclusion && !isQuoted && excluded && /^[!-]/.test(text)) {
    return malformed(`One '!' excludes an item. A name that begins with '!' or '-' is written in quotes: !"-5".`, raw);
  }
  if (exclusion && !isQuoted && text.startsWith("-")) {
    const message = `An item begins with '-'. To exclude it, write !${shortened(text.slice(1).trim()) || "US"}; a name that begins with '-' is written in quotes.`;
    return malformed(message, raw);
  }
  return { text, excluded };
}

/** The item that begins at `start`, and the position of the comma after it. */
function itemAt(text: string, start: number, exclusion: boolean): RawItem & { end: number } {
  const excluded = exclusion && text[afterBlanks(text, start)] === "!";
  const from = excluded ? afterBlanks(text, start) + 1 : start;
  const first = afterBlanks(text, from);
  if (text[first] !== '"') {
    const end = endOfItem(text, from);
    return { raw: text.slice(start, end), content: text.slice(from, end), isQuoted: false, excluded, end };
  }
  let close = text.indexOf('"', first + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) return { raw: text.slice(start), content: undefined, isQuoted: true, excluded, end: text.length };
  const end = endOfItem(text, close + 1);
  const content = afterBlanks(text, close + 1) >= end ? text.slice(first + 1, close).replaceAll('""', '"') : undefined;
  return { raw: text.slice(start, end), content, isQuoted: true, excluded, end };
}

function endOfItem(text: string, from: number): number {
  const comma = text.indexOf(",", from);
  return comma < 0 ? text.length : comma;
}

/** The end of the blanks that begin at `at`. A loop takes linear time; a regular expression may take quadratic time. */
function afterBlanks(text: string, at: number): number {
  let end = at;
  while (end < text.length && (text[end] === RAW_PLUS || text[end]!.trim() === "")) end++;
  return end;
}

function malformed(message: string, value: string): Complaint {
  return { code: "malformed_value", message, value: shortened(value.replaceAll(RAW_PLUS, "+")) };
}
