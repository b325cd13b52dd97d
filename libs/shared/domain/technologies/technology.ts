import { LRUCache } from "lru-cache";
import { AI } from "./ai.ts";
import { formOf, spelledKey } from "./form.ts";
import { MODERN, type TechnologyGroup } from "./modern.ts";
import table from "./table.json" with { type: "json" };

const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(table.names));
const KEYS: ReadonlyMap<string, string> = new Map([
  ...Object.keys(table.names).map((key): [string, string] => [formOf(key), key]),
  ...Object.entries(table.aliases),
]);
const GROUPS: ReadonlyMap<string, TechnologyGroup> = new Map(
  Object.entries(MODERN).flatMap(([group, keys]) =>
    keys.map((key): [string, TechnologyGroup] => [key, group as TechnologyGroup]),
  ),
);
const AI_KEYS: ReadonlySet<string> = new Set(AI);

/** Stacks name the same technologies again and again, and deriving a company asks for each several times. Bounded by letters. */
const ASKED_LAST = new LRUCache<string, string>({
  maxSize: 200_000,
  sizeCalculation: (key, name) => name.length + key.length + 1,
  memoMethod(name) {
    const key = spelledKey(name);
    return KEYS.get(formOf(key)) ?? key;
  },
});

/**
 * The key of a technology, for ingest and requests: the same for all names of one technology (`node`, `NodeJS`, `Node.js`), different for
 * names that differ only by signs (C, C++, C#). An unknown name has its own key; a name of signs only has the empty key.
 */
export function technologyKey(name: string): string {
  return ASKED_LAST.memo(name);
}

/** The name to show of a known technology (`Node.js` of `nodejs`); undefined for one that only its user knows. */
export function technologyName(key: string): string | undefined {
  return NAMES.get(key);
}

/** A stack with each technology once, in its order, by its usual name, or as it is first written if it has none. */
export function usualStack(names: readonly string[]): string[] {
  const shown = new Map<string, string>();
  for (const name of names) {
    const key = technologyKey(name);
    // A name of signs only has the empty key and is no other name's.
    const own = key === "" ? name : key;
    if (!shown.has(own)) shown.set(own, technologyName(key) ?? name);
  }
  return [...shown.values()];
}

/** The group of the modern list that a technology is in, if any; a technology is in one at most. */
export function technologyGroup(key: string): TechnologyGroup | undefined {
  return GROUPS.get(key);
}

/** Whether a technology is tagged AI or machine learning. */
export function isAi(key: string): boolean {
  return AI_KEYS.has(key);
}
