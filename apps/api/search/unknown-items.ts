import type { estypes } from "@elastic/elasticsearch";
import { LRUCache } from "lru-cache";
import { closest } from "@tranche/shared/text/closest";
import type { ParameterTable, Values } from "../parameters/parameter.ts";
import type { Warning } from "../present/warnings.ts";
import { existenceQuery, nearbyQuery } from "../query/known-values.ts";
import type { Search } from "./search.ts";

/** How long a look-up is remembered; a value that a record gets meanwhile is at most so late. */
const REMEMBER_MS = 60_000;
const REMEMBER_ITEMS = 20_000;

export type UnknownItems = (index: string, table: ParameterTable, values: Values) => Promise<Warning[]>;

type Asked = { parameter: string; field: string; item: string; key: string };

/** Finds the items of open vocabularies that no record has, and for each the nearest value that one has. */
export function createUnknownItems(search: Search): UnknownItems {
  /** By index, field and key: whether a record has it; if none does, the nearest key that one has (or "" for none). */
  const known = new LRUCache<string, { near: string } | true>({ max: REMEMBER_ITEMS, ttl: REMEMBER_MS });

  return async (index, table, values) => {
    const asked = itemsOf(table, values);
    if (asked.length === 0) return [];
    const cacheKey = ({ field, key }: Asked) => `${index}|${field}|${key}`;
    const fresh = asked.filter((item) => known.get(cacheKey(item)) === undefined);
    if (fresh.length > 0) {
      const there = await whichExist(search, index, fresh);
      const missing = fresh.filter((_, i) => !there[i]);
      const near = await nearest(search, index, missing);
      for (const item of fresh) known.set(cacheKey(item), true);
      for (const [i, item] of missing.entries()) known.set(cacheKey(item), { near: near[i]! });
    }
    return asked.flatMap((item) => {
      const found = known.get(cacheKey(item));
      if (found === undefined || found === true) return [];
      return [warningOf(table, item, found.near)];
    });
  };
}

function itemsOf(table: ParameterTable, values: Values): Asked[] {
  return Object.entries(table).flatMap(([parameter, { open }]) => {
    const items = values[parameter] as string[] | undefined;
    return open && items ? items.map((item) => ({ parameter, field: open.field, item, key: open.key(item) })) : [];
  });
}

async function whichExist(search: Search, index: string, asked: readonly Asked[]): Promise<boolean[]> {
  const answer = await search(index, existenceQuery(asked));
  const { buckets } = answer.aggregations.items as { buckets: { doc_count: number }[] };
  return asked.map((_, i) => buckets[i]!.doc_count > 0);
}

async function nearest(search: Search, index: string, missing: readonly Asked[]): Promise<string[]> {
  if (missing.length === 0) return [];
  const answer = await search(index, nearbyQuery(missing));
  return missing.map(({ key }, i) => {
    const keysOf = (name: string) => {
      const { keys } = answer.aggregations[`${name}${i}`] as unknown as {
        keys: estypes.AggregationsStringTermsAggregate;
      };
      return (keys.buckets as { key: string }[]).map((bucket) => bucket.key);
    };
    return closest(key, keysOf("like")) ?? keysOf("longer")[0] ?? "";
  });
}

function warningOf(table: ParameterTable, { parameter, item }: Asked, near: string): Warning {
  const open = table[parameter]!.open!;
  const hint = near === "" ? "" : ` Did you mean '${open.show?.(near) ?? near}'?`;
  return { code: "unknown_value", message: `${open.nobody} '${item}'.${hint}`, parameter };
}
