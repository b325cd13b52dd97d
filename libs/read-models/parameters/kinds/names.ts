import { keyOf } from "@tranche/shared/domain/text/key";
import { technologyKey } from "@tranche/shared/domain/technologies/technology";
import { shortened } from "../query-string.ts";
import type { Kind } from "./kind.ts";
import { itemText, list } from "./list.ts";
import type { ListItem } from "./list-item.ts";

/** An item of a list without quotes around it. A name must also have a letter or a digit. */
const sent = itemText.meta({
  ...itemText.meta(),
  pattern: String.raw`^!?[^",!\-\s\x00-\x1f\x7f-\x9f][^",\x00-\x1f\x7f-\x9f]*$`,
});

/** Names, slugs or aliases from an open vocabulary. The value is the text as sent; comparisons use its key. */
export function names(): Kind<ListItem[]> {
  return list({ item: itemText, sent, read: named(keyOf) });
}

/**
 * As `names`, and ids. Ids are compared letter for letter, so items with the same key may mean different records. An item without a
 * letter or digit can only be an id, so nothing else means the same.
 */
export function namesOrIds(): Kind<ListItem[]> {
  return list({ item: itemText, sent, read: (text) => ({ key: keyOf(text) || text, value: text, text }) });
}

/** Names of technologies. The value is the text as sent; comparisons use the key of the technology. */
export function technologies(): Kind<ListItem[]> {
  return list({ item: itemText, sent, read: named(technologyKey) });
}

const named = (keyOfName: (text: string) => string) => (text: string) => {
  const key = keyOfName(text);
  if (key !== "") return { key, value: text };
  const message = `'${shortened(text)}' has neither a letter nor a digit.`;
  return { code: "malformed_value" as const, message, value: shortened(text) };
};
