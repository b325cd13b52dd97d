import { LRUCache } from "lru-cache";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import type { Generation } from "../serve/generation.ts";
import type { Generations } from "../cache/generations.ts";
import type { Dimension, Naming, Spelled } from "@tranche/read-models/parameters/dimensions";
import { NAME_OF } from "../present/dimension-names.ts";
import type { GroupKey } from "@tranche/read-models/query/groups";
import type { Group } from "./group.ts";
import { namesOf } from "./names.ts";

type NameOf = (key: GroupKey) => GroupKey;

const REMEMBERED_NAMES = 50_000;
const REMEMBER_MS = 60_000;

/** The read model whose generation changes with a name. A renamed investor changes the rows of its rounds. */
const CHANGES_WITH: Record<Spelled, ReadModel> = {
  category: "companies",
  city: "companies",
  company: "companies",
  investor: "funding",
};

/**
 * Finds the names of groups: at most one look-up per dimension, and none for names that were looked up in the same generation. Without
 * `generations` no name is remembered.
 */
export function createNaming(parts: Parameters<typeof namesOf>[0], generations: Generations | undefined) {
  const known = new LRUCache<string, { name: string; generation: Generation }>({
    max: REMEMBERED_NAMES,
    ttl: REMEMBER_MS,
  });

  const lookUp = async (kind: Spelled, keys: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const generation = await generations?.(CHANGES_WITH[kind]);
    const names = new Map<string, string>();
    for (const key of keys) {
      const found = generation && known.get(`${kind} ${key}`);
      if (found && found.generation === generation) names.set(key, found.name);
    }
    const found = await namesOf(
      parts,
      kind,
      keys.filter((key) => !names.has(key)),
    );
    for (const [key, name] of found) {
      names.set(key, name);
      if (generation) known.set(`${kind} ${key}`, { name, generation });
    }
    return names;
  };

  return async (by: readonly Dimension[], groups: readonly Group<unknown>[]): Promise<NameOf> => {
    const named = await Promise.all(
      by.map(async ({ naming }, n): Promise<(key: string) => string> => {
        if (!isSpelled(naming)) return NAME_OF[naming];
        const names = await lookUp(naming, [...new Set(groups.flatMap(({ key }) => key[n] ?? []))]);
        return (key) => names.get(key) ?? key;
      }),
    );
    return (key) => key.map((value, n) => (value === null ? null : named[n]!(value)));
  };
}

const isSpelled = (naming: Naming): naming is Spelled => !Object.hasOwn(NAME_OF, naming);
