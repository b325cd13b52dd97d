import { RAW_PLUS, REPEATED, shortened } from "../query-string.ts";
import type { Complaint } from "./kind.ts";

export const MAX_ITEMS = 50;

export type Exclusion = {
  /** Whether `!` and `-` at the beginning of an item have a meaning. */
  exclusion: boolean;
};

/** An item as it was sent: its text without quotes and `!`. */
type SentItem = { text: string; excluded: boolean };

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
    return malformed(`An item that begins with a double quote must end with one; inside, "" means a quote.`, raw);
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
  // A text of signs only can't be meant as another exclusion: `!!` excludes the id `!`.
  if (exclusion && !isQuoted && excluded && /^[!-]/.test(text) && /[\p{L}\p{N}]/u.test(text)) {
    return malformed(`One '!' excludes an item. A name that begins with '!' or '-' is written in quotes: !"-5".`, raw);
  }
  if (exclusion && !isQuoted && !excluded && text.startsWith("-")) {
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
