import type { Dimension, Naming, Spelled } from "../parameters/dimensions.ts";
import { NAME_OF } from "../present/dimension-names.ts";
import type { GroupKey } from "../query/groups.ts";
import type { Group } from "./group.ts";
import { namesOf } from "./names.ts";

type NameOf = (key: GroupKey) => GroupKey;

/** Finds the names of groups: one look-up per dimension whose names are not made of the key. */
export function createNaming(parts: Parameters<typeof namesOf>[0]) {
  return async (by: readonly Dimension[], groups: readonly Group<unknown>[]): Promise<NameOf> => {
    const named = await Promise.all(
      by.map(async ({ naming }, n): Promise<(key: string) => string> => {
        if (!isSpelled(naming)) return NAME_OF[naming];
        const keys = new Set(groups.flatMap(({ key }) => key[n] ?? []));
        const names = await namesOf(parts, naming, [...keys]);
        return (key) => names.get(key) ?? key;
      }),
    );
    return (key) => key.map((value, n) => (value === null ? null : named[n]!(value)));
  };
}

const isSpelled = (naming: Naming): naming is Spelled => !Object.hasOwn(NAME_OF, naming);
