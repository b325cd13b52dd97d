import { rowOf } from "@tranche/read-models/documents/row-text";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import {
  createMatchOf,
  isSimilar,
  type Match,
  type Named,
  type NameQuery,
} from "@tranche/read-models/query/name-match";
import { technologyKey, technologyName } from "@tranche/shared/domain/technologies/technology";
import { keyOf } from "@tranche/shared/domain/text/key";
import { wordsOf } from "@tranche/shared/domain/text/words";
import { countryCode, countryName } from "@tranche/shared/domain/vocabulary/countries";
import {
  firstValues,
  furtherValues,
  spellings,
  VALUE_FIELDS,
  VALUES_PAGE,
  type ValueType,
} from "../query/name-values.ts";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import type { Generations } from "../cache/generations.ts";
import { createSingleFlight } from "../cache/single-flight.ts";
import { createValidatedCache } from "../cache/validated-cache.ts";
import { cancelledBy, type Search } from "../search/search.ts";
import type { Cacheable, Dependencies } from "../serve/generation.ts";
import type { FoundName, RankedName } from "./found-name.ts";

/** A value that companies have, such as a city. `found.name` is its key where only a company knows how it is written. */
export type NamedValue = { type: ValueType; named: Named; found: Omit<FoundName, "matched" | "type"> };

/** A value as it was counted; its key is an object after the first page. */
type Bucket = {
  key: string | { value: string };
  doc_count: number;
  rounds: { value: number };
  country?: { buckets: { key: string }[] };
};

const NAME_OF: Readonly<Record<ValueType, (key: string) => string | undefined>> = {
  category: (key) => key,
  city: (key) => key,
  technology: technologyName,
  country: countryName,
};
/** The values that have a text as their key or an alias. */
const KEY_OF: Readonly<Record<ValueType, (text: string) => string | undefined>> = {
  category: keyOf,
  city: keyOf,
  technology: technologyKey,
  country: countryCode,
};
const TYPES = Object.keys(VALUE_FIELDS) as ValueType[];

/** A value takes some 300 bytes. */
const VALUES_BYTES = 32 * 1024 * 1024;
/** Pages of values of one type that are read: 50,000 values. */
const MAX_PAGES = 5;

const createNamedValuesCache = () =>
  createSingleFlight<readonly NamedValue[]>(
    createValidatedCache({ maxBytes: VALUES_BYTES, bytesOf: (values) => 300 * values.length }),
  );

/** Reads every category, city, technology and country of a company. `left` cancels it. */
export type KnownValues = (left: AbortSignal) => Promise<readonly NamedValue[]>;

/** They are cached in `generations`; without these, they are counted each time. */
export function createKnownValues(parts: {
  search: Search;
  names: IndexNames;
  generations?: Generations | undefined;
}): KnownValues {
  const { search, names, generations } = parts;
  const index = names.role("companies", "live");
  const cache = createNamedValuesCache();
  return async (left) =>
    cache(await generations?.("companies"), index, (allLeft) => namedValues(cancelledBy(allLeft, search), index), left);
}

/** Counts depend on every company, but only on its values and its number of rounds. */
const DEPENDENCIES: Dependencies = {
  filters: [],
  ids: [],
  all: [...Object.values(VALUE_FIELDS), "round_count" satisfies keyof CompanyDocument],
};

/** Every category, city, technology and country of a company, with its counts. */
export async function namedValues(search: Search, index: string): Promise<Cacheable<NamedValue[]>> {
  const { aggregations } = await search(index, firstValues(TYPES));
  const further = async (type: ValueType, page: Bucket[]): Promise<Bucket[]> => {
    const found = [...page];
    for (let pages = 1; pages < MAX_PAGES && page.length === VALUES_PAGE; pages++) {
      const next = await search(index, furtherValues(type, keyIn(page.at(-1)!)));
      page = bucketsOf(next.aggregations[type]);
      found.push(...page);
    }
    return found;
  };
  const values = TYPES.map(async (type) => {
    const buckets = await further(type, bucketsOf(aggregations[type]));
    return buckets.map((bucket) => namedValue(type, bucket));
  });
  return { value: (await Promise.all(values)).flat(), dependencies: DEPENDENCIES };
}

const bucketsOf = (aggregation: unknown): Bucket[] => (aggregation as { buckets: Bucket[] }).buckets;
const keyIn = ({ key }: Bucket): string => (typeof key === "string" ? key : key.value);

function namedValue(type: ValueType, bucket: Bucket): NamedValue {
  const { doc_count, rounds, country } = bucket;
  const key = keyIn(bucket);
  const name = NAME_OF[type](key) ?? key;
  const where = type === "country" ? key : (country?.buckets[0]?.key ?? null);
  return {
    type,
    named: { key: keyOf(name), keys: [], domain: null, names: [wordsOf(name)] },
    found: { id: null, key, name, country: where, rounds: rounds.value, companies: doc_count },
  };
}

/** The values of these types whose name matches a text without edits, in any order. */
export function matchingValues(values: readonly NamedValue[], text: string, query: NameQuery): RankedName[] {
  const matchOf = createMatchOf(query);
  const keys = Object.fromEntries(TYPES.map((type) => [type, KEY_OF[type](text)])) as Record<ValueType, string>;
  return values.flatMap((value) => {
    const matched = value.found.key === keys[value.type] ? "exact" : matchOf(value.named);
    return matched === undefined ? [] : [ranked(value, matched)];
  });
}

/** Those whose name is similar. */
export function similarValues(values: readonly NamedValue[], query: NameQuery): RankedName[] {
  return values.filter(({ named }) => isSimilar(query, named)).map((value) => ranked(value, "similar"));
}

const ranked = ({ type, named, found }: NamedValue, matched: Match): RankedName => ({
  nameKey: named.key,
  found: { type, ...found, matched },
});

/** The same names, with categories and cities as companies write them. */
export async function spelled(search: Search, index: string, found: readonly FoundName[]): Promise<FoundName[]> {
  const names = new Map<string, string>();
  const read = async (type: "category" | "city") => {
    const keys = found.filter((one) => one.type === type).map(({ key }) => key);
    if (keys.length === 0) return;
    const field = VALUE_FIELDS[type];
    const { documents } = await search<Pick<CompanyDocument, "row">>(index, spellings(field, keys));
    for (const { row } of documents) {
      const name = rowOf(row).company[type];
      if (name !== null) names.set(`${type} ${keyOf(name)}`, name);
    }
  };
  await Promise.all([read("category"), read("city")]);
  return found.map((one) => ({ ...one, name: names.get(`${one.type} ${one.key}`) ?? one.name }));
}
