import type { estypes } from "@elastic/elasticsearch";
import { LRUCache } from "lru-cache";
import { closest } from "@tranche/shared/text/closest";
import type { Generation } from "../cache/change-log.ts";
import type { ParameterTable, Values } from "../parameters/parameter.ts";
import type { Warning } from "../parameters/warning.ts";
import { existenceQuery, nearbyQuery } from "../query/known-values.ts";
import type { Search } from "./search.ts";

const REMEMBER_MS = 60_000;
const REMEMBER_ITEMS = 20_000;
/** Looking for something like a text costs the engine much more than finding it: not done for all of a long list … */
const MAX_SUGGESTIONS = 5;
/** … nor for long texts, which nobody mistypes by a letter. */
const MAX_SUGGESTED_LENGTH = 40;

/**
 * What was found with the values: the number of all rows, and the generation of the documents. What no record had in one
 * generation, a record may have in the next.
 */
export type Matches = { count: number; generation: Generation | undefined };
export type UnknownItems = (index: string, table: ParameterTable, values: Values, found: Matches) => Promise<Warning[]>;

type RequestedItem = { parameter: string; field: string; item: string; key: string };

/** Finds the items of open vocabularies that no record has, and for each the nearest value that one has. */
export function createUnknownItems(search: Search): UnknownItems {
  /** Whether a record has a key; if none does in this generation, the nearest key that one has (or "" for none). */
  const known = new LRUCache<string, { near: string; generation: Generation | undefined } | true>({
    max: REMEMBER_ITEMS,
    ttl: REMEMBER_MS,
  });

  return async (index, table, values, { count, generation }) => {
    // Every row has the item of a list of one: where there are rows, nothing has to be looked up.
    const asked = itemsOf(table, values, count > 0 ? 2 : 1);
    if (asked.length === 0) return [];
    const cacheKey = ({ field, key }: RequestedItem) => `${index}|${field}|${key}`;
    const lookedUp = (item: RequestedItem) => {
      const found = known.get(cacheKey(item));
      return found === true || found?.generation === generation ? found : undefined;
    };
    const fresh = asked.filter((item) => lookedUp(item) === undefined);
    if (fresh.length > 0) {
      const there = await whichExist(search, index, fresh);
      const missing = fresh.filter((_, i) => !there[i]);
      const near = await nearest(search, index, missing);
      for (const item of fresh) known.set(cacheKey(item), true);
      for (const [i, item] of missing.entries()) known.set(cacheKey(item), { near: near[i] ?? "", generation });
    }
    return asked.flatMap((item) => {
      const found = lookedUp(item);
      return found === undefined || found === true ? [] : [warningOf(table, item, found.near)];
    });
  };
}

/** The items of open vocabularies, those of lists that have at least so many. */
function itemsOf(table: ParameterTable, values: Values, least: number): RequestedItem[] {
  return Object.entries(table).flatMap(([parameter, { open }]) => {
    const items = values[parameter];
    return open && Array.isArray(items) && items.length >= least
      ? items.map((item) => ({ parameter, field: open.field, item, key: open.key(item) }))
      : [];
  });
}

async function whichExist(search: Search, index: string, asked: readonly RequestedItem[]): Promise<boolean[]> {
  const answer = await search(index, existenceQuery(asked));
  const { buckets } = answer.aggregations.items as { buckets: { doc_count: number }[] };
  return asked.map((_, i) => buckets[i]!.doc_count > 0);
}

/** For each key the nearest that a record has, "" for those that have none or were not looked for. */
async function nearest(search: Search, index: string, missing: readonly RequestedItem[]): Promise<string[]> {
  const short = missing.filter(({ key }) => key.length <= MAX_SUGGESTED_LENGTH).slice(0, MAX_SUGGESTIONS);
  if (short.length === 0) return [];
  const answer = await search(index, nearbyQuery(short));
  return missing.map((item) => {
    const i = short.indexOf(item);
    if (i < 0) return "";
    const keysOf = (name: string) => {
      const { keys } = answer.aggregations[`${name}${i}`] as unknown as {
        keys: estypes.AggregationsStringTermsAggregate;
      };
      return (keys.buckets as { key: string }[]).map((bucket) => bucket.key);
    };
    return closest(item.key, keysOf("like")) ?? keysOf("longer")[0] ?? "";
  });
}

function warningOf(table: ParameterTable, { parameter, item }: RequestedItem, near: string): Warning {
  const open = table[parameter]!.open!;
  const hint = near === "" ? "" : ` Did you mean '${open.show?.(near) ?? near}'?`;
  return { code: "unknown_value", message: `${open.nobody} '${item}'.${hint}`, parameter };
}
