import type { estypes } from "@elastic/elasticsearch";
import { LRUCache } from "lru-cache";
import { closest } from "@tranche/shared/domain/text/closest";
import type { Generation } from "../serve/generation.ts";
import { parted } from "@tranche/read-models/parameters/kinds/list-item";
import type { ParameterTable, Values } from "@tranche/read-models/parameters/parameter";
import { sentParameters } from "@tranche/read-models/parameters/read";
import type { Warning } from "@tranche/read-models/parameters/warning";
import { existenceQuery, nearbyQuery } from "../query/known-values.ts";
import type { Search } from "./search.ts";

const REMEMBER_MS = 60_000;
const REMEMBER_ITEMS = 20_000;
/** A fuzzy search costs much more than an exact one: it is not done for all items of a long list … */
const MAX_SUGGESTIONS = 5;
/** … and not for long items, because a typo in these is rarely one letter, or for ids without a letter or digit. */
const MAX_SUGGESTED_LENGTH = 40;

/**
 * The result of the search with the values: the number of all rows, and the generation of the documents. An item that no record had in
 * one generation may be in the next.
 */
export type Matches = { count: number; generation: Generation | undefined };
export type UnknownItems = (index: string, table: ParameterTable, values: Values, found: Matches) => Promise<Warning[]>;

type RequestedItem = {
  parameter: string;
  field: string;
  ids: string | undefined;
  item: string;
  keys: readonly string[];
  /** The first of them: similar ones are suggested. */
  key: string;
  excluded: boolean;
};

/** Finds the items of open vocabularies that no record has, and for each the nearest existing value. */
export function createUnknownItems(search: Search): UnknownItems {
  /** True for a key that exists. Otherwise the nearest existing key ("" for none) in this generation. */
  const known = new LRUCache<string, { near: string; generation: Generation | undefined } | true>({
    max: REMEMBER_ITEMS,
    ttl: REMEMBER_MS,
  });

  return async (index, table, values, { count, generation }) => {
    const asked = itemsOf(table, values, count > 0);
    if (asked.length === 0) return [];
    const cacheKey = ({ field, ids, item, key }: RequestedItem) =>
      `${index}|${field}|${key}${ids === undefined ? "" : `|${item}`}`;
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

/** The items of open vocabularies that may be unknown. If a list has one plain item, every row found has it. */
function itemsOf(table: ParameterTable, values: Values, found: boolean): RequestedItem[] {
  const asked: RequestedItem[] = [];
  for (const { name: parameter, value: items, row } of sentParameters(table, values)) {
    const { open } = row;
    if (!open || !Array.isArray(items)) continue;
    const { plain, excluded } = parted(items);
    const { field, ids } = open;
    const ask = (item: string, excludes: boolean) => {
      const keys = open.keys(item);
      asked.push({ parameter, field, ids, item, keys, key: keys[0], excluded: excludes });
    };
    if (!found || plain.length !== 1) for (const item of plain) ask(item, false);
    for (const item of excluded) ask(item, true);
  }
  return asked;
}

async function whichExist(search: Search, index: string, asked: readonly RequestedItem[]): Promise<boolean[]> {
  const answer = await search(index, existenceQuery(asked));
  const { buckets } = answer.aggregations.items as { buckets: { doc_count: number }[] };
  return asked.map((_, i) => buckets[i]!.doc_count > 0);
}

/** The nearest existing key for each key; "" when there is none or it was not searched for. */
async function nearest(search: Search, index: string, missing: readonly RequestedItem[]): Promise<string[]> {
  const short = missing.filter(({ key }) => key !== "" && key.length <= MAX_SUGGESTED_LENGTH).slice(0, MAX_SUGGESTIONS);
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

function warningOf(table: ParameterTable, { parameter, item, excluded }: RequestedItem, near: string): Warning {
  const open = table[parameter]!.open!;
  const hint = near === "" ? "" : ` Did you mean '${open.show?.(near) ?? near}'?`;
  const effect = excluded ? " Nothing is excluded by it." : "";
  return { code: "unknown_value", message: `${open.nobody} '${item}'.${effect}${hint}`, parameter };
}
