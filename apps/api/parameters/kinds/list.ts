import { z } from "zod";
import { RAW_PLUS, shortened } from "../query-string.ts";
import { type Complaint, type Kind, kind } from "./kind.ts";

const MAX_ITEMS = 50;
const MAX_ITEM_LENGTH = 100;

/** What an item of a list stands for. Items of the same `key` are one; `value` is what is passed on. */
export type Item = { key: string; value: string };

/**
 * A comma-separated list. Blanks around items are trimmed, items of equal key dropped, the order kept. `read` says what an
 * item stands for, or what is wrong with it.
 */
export function list(item: z.ZodType<string, string>, read: (text: string) => Item | Complaint): Kind<string[]> {
  return kind({
    schema: z.array(item).min(1).max(MAX_ITEMS),
    read(text) {
      const split = splitItems(text);
      if ("code" in split) return { complaints: [split] };
      if (split.items.length > MAX_ITEMS) {
        const message = `A list has at most ${MAX_ITEMS} items, this one ${split.items.length}.`;
        return { complaints: [{ code: "too_many_items", message, value: split.items.length }] };
      }
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

/** An item as it must be written in a list: in double quotes if it would be taken apart otherwise. */
export function quoted(item: string): string {
  return /[,"]/.test(item) ? `"${item.replaceAll('"', '""')}"` : item;
}

function tooLong(item: string): Complaint | undefined {
  const length = Array.from(item).length;
  if (length <= MAX_ITEM_LENGTH) return undefined;
  const message = `An item of a list has at most ${MAX_ITEM_LENGTH} characters, this one ${length}.`;
  return { code: "malformed_value", message, value: shortened(item) };
}

/** Takes a list apart at its commas. An item that begins with a double quote ends at the next single one. */
export function splitItems(text: string): { items: string[] } | Complaint {
  const items: string[] = [];
  for (let at = 0; ; at++) {
    const [raw, end] = rawItem(text, at);
    const item = raw === undefined ? undefined : contentOf(raw);
    if (item === undefined) {
      return malformed(
        `An item that begins with a double quote must end with one; inside, "" stands for a quote.`,
        text.slice(at),
      );
    }
    if (raw!.endsWith(RAW_PLUS) || item.endsWith(RAW_PLUS)) {
      return malformed(
        "An item ends in '+', which means a blank in an address. Write a plus as %2B, such as C%2B%2B.",
        raw!,
      );
    }
    if (item.trim() === "") return malformed("The list has an empty item.", text);
    items.push(item.replaceAll(RAW_PLUS, " ").trim());
    at = end;
    if (at >= text.length) return { items };
  }
}

const BLANKS = new RegExp(`^[\\s${RAW_PLUS}]+|[\\s${RAW_PLUS}]+$`, "g");

/** The text of the item that begins at `start`, and where the comma after it is; no text when a quote stays open. */
function rawItem(text: string, start: number): [raw: string | undefined, end: number] {
  const first = start + (/^[\s\0]*/.exec(text.slice(start))?.[0].length ?? 0);
  let from = start;
  if (text[first] === '"') {
    let close = text.indexOf('"', first + 1);
    while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
    if (close < 0) return [undefined, text.length];
    from = close + 1;
  }
  const comma = text.indexOf(",", from);
  const end = comma < 0 ? text.length : comma;
  return [text.slice(start, end), end];
}

/** What stands in the item, without its quotes; undefined when something follows the closing quote. */
function contentOf(raw: string): string | undefined {
  const item = raw.replace(BLANKS, "");
  if (!item.startsWith('"')) return raw;
  const match = /^"((?:[^"]|"")*)"$/.exec(item);
  return match?.[1]?.replaceAll('""', '"');
}

function malformed(message: string, value: string): Complaint {
  return { code: "malformed_value", message, value: shortened(value.replaceAll(RAW_PLUS, "+")) };
}
