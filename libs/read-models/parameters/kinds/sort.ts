import { closest } from "@tranche/shared/domain/text/closest";
import { choice } from "./choice.ts";
import type { Kind } from "./kind.ts";

/** Words that other APIs use for the fields of our orders. */
const FIELDS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  date: ["announced_date", "latest_funding"],
  announced: ["announced_date", "latest_funding"],
  created_at: ["announced_date", "latest_funding"],
  funding: ["latest_funding", "announced_date"],
  newest: ["announced_date", "latest_funding"],
  latest: ["announced_date", "latest_funding"],
  recent: ["announced_date", "latest_funding"],
  oldest: ["announced_date", "latest_funding"],
  amount_usd: ["amount"],
  size: ["amount"],
  largest: ["amount"],
  biggest: ["amount"],
  smallest: ["amount"],
  score: ["signal_score"],
  relevance: ["signal_score"],
  company: ["name"],
  company_name: ["name"],
});
const ASCENDING = new Set(["oldest", "smallest"]);

/** An order, `<field>_asc` or `<field>_desc`. The first of the two orders of a field in `words` is its default. `id`: its name in the OpenAPI document. */
export function sort<const T extends string>(id: string, words: readonly [T, ...T[]]): Kind<T> {
  return choice(words, { id, suggest: (text) => closestOrder(text, words) });
}

function closestOrder(text: string, words: readonly string[]): string | undefined {
  const { wanted, direction } = takenApart(text);
  const fields = [...new Set(words.map((word) => word.slice(0, word.lastIndexOf("_"))))];
  const synonyms = Object.hasOwn(FIELDS, wanted) ? FIELDS[wanted]! : [];
  const field = [wanted, ...synonyms].find((name) => fields.includes(name)) ?? closest(wanted, fields);
  const orders = field === undefined ? [] : words.filter((word) => word.startsWith(`${field}_`));
  return orders.find((word) => word.endsWith(`_${direction}`)) ?? orders[0] ?? closest(text, words);
}

/** The field and the direction of `-amount`, `amount:desc`, `amount descending` or `amount_asc`. */
function takenApart(text: string): { wanted: string; direction: "asc" | "desc" | undefined } {
  const bare = text.startsWith("-") ? text.slice(1) : text;
  const suffix = ["ascending", "descending", "asc", "desc"].find(
    (word) => bare.length > word.length && bare.endsWith(word),
  );
  const wanted = suffix === undefined ? bare : bare.slice(0, -suffix.length - 1);
  if (suffix !== undefined) return { wanted, direction: suffix.startsWith("asc") ? "asc" : "desc" };
  if (ASCENDING.has(wanted)) return { wanted, direction: "asc" };
  return { wanted, direction: bare === text ? undefined : "desc" };
}
