import { z } from "zod";
import { RAW_PLUS, shortened } from "../query-string.ts";
import { type Complaint, type Kind, kind } from "./kind.ts";

const MAX_ITEMS = 50;
const MAX_ITEM_LENGTH = 100;

/** An item of a list. Items with the same `key` are duplicates; `value` is the result. */
export type Item = { key: string; value: string };

/**
 * A comma-separated list. Blanks around items are trimmed, duplicates dropped, the order kept. `read` returns an item or its
 * problem.
 */
export function list(item: z.ZodType<string, string>, read: (text: string) => Item | Complaint): Kind<string[]> {
  return kind({
    schema: z.array(item).min(1).max(MAX_ITEMS),
    read(text) {
      const split = splitItems(text);
      if ("code" in split) return { complaints: [split] };
      const items = new Map<string, string>();
      const complaints: Complaint[] = [];
      for (const given of split.items) {
        const outcome = tooLong(given) ?? read(given);
        if ("code" in outcome) complaints.push(outcome);
        else if (!items.has(outcome.key)) items.set(outcome.key, outcome.value);
      }
      return complaints.length > 0 ? { complaints } : { value: [...items.values()] };
    },
    write: (items: string[]) => items.map(quoted).join(","),
  });
}

/** An item as it is written in a list: in double quotes if it contains a comma or a quote. */
export function quoted(item: string): string {
  return /[,"]/.test(item) ? `"${item.replaceAll('"', '""')}"` : item;
}

function tooLong(item: string): Complaint | undefined {
  const length = Array.from(item).length;
  if (length <= MAX_ITEM_LENGTH) return undefined;
  const message = `An item of a list has at most ${MAX_ITEM_LENGTH} characters, this one ${length}.`;
  return { code: "malformed_value", message, value: shortened(item) };
}

/** Splits a list at its commas. An item that begins with a double quote ends at the next quote that is not doubled. */
export function splitItems(text: string): { items: string[] } | Complaint {
  const items: string[] = [];
  let count = 0;
  for (let at = 0; ; at++) {
    const { raw, content, end } = itemAt(text, at);
    // Items above the limit are only counted.
    if (++count <= MAX_ITEMS) {
      if (content === undefined) {
        return malformed(
          `An item that begins with a double quote must end with one; inside, "" stands for a quote.`,
          text.slice(at),
        );
      }
      if (raw.endsWith(RAW_PLUS) || content.endsWith(RAW_PLUS)) {
        return malformed(
          "An item ends in '+', which means a blank in an address. Write a plus as %2B, such as C%2B%2B.",
          raw,
        );
      }
      const item = content.replaceAll(RAW_PLUS, " ").trim();
      if (item === "") return malformed("The list has an empty item.", text);
      items.push(item);
    }
    at = end;
    if (at >= text.length) break;
  }
  if (count <= MAX_ITEMS) return { items };
  const message = `A list has at most ${MAX_ITEMS} items, this one ${count}.`;
  return { code: "too_many_items", message, value: count };
}

/**
 * The item that begins at `start`: its raw text, its content without quotes, and the position of the comma after it. The content is
 * undefined when a quote is not closed or text follows the closing quote.
 */
function itemAt(text: string, start: number): { raw: string; content: string | undefined; end: number } {
  const first = afterBlanks(text, start);
  if (text[first] !== '"') {
    const end = endOfItem(text, start);
    const raw = text.slice(start, end);
    return { raw, content: raw, end };
  }
  let close = text.indexOf('"', first + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) return { raw: text.slice(start), content: undefined, end: text.length };
  const end = endOfItem(text, close + 1);
  const content = afterBlanks(text, close + 1) >= end ? text.slice(first + 1, close).replaceAll('""', '"') : undefined;
  return { raw: text.slice(start, end), content, end };
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
