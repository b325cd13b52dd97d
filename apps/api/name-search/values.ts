import { rowOf } from "@tranche/read-models/documents/row-text";
import type { SignalsDocument } from "@tranche/read-models/documents/signals";
import {
  createMatchOf,
  isSimilar,
  type Match,
  type Named,
  type NameQuery,
} from "@tranche/read-models/query/name-match";
import { technologyKey, technologyName } from "@tranche/shared/technologies/technology";
import { keyOf } from "@tranche/shared/text/key";
import { wordsOf } from "@tranche/shared/text/words";
import { countryCode, countryName } from "@tranche/shared/vocabulary/countries";
import { spellings, VALUE_FIELDS, VALUES_PAGE, valueCounts, type ValueType } from "../query/name-values.ts";
import { createSingleFlight } from "../cache/single-flight.ts";
import { createValidatedCache } from "../cache/validated-cache.ts";
import type { Search } from "../search/search.ts";
import type { FoundName, RankedName } from "./found-name.ts";

/** A value that companies have, such as a city. `found.name` is its key where only a company knows how it is written. */
export type NamedValue = { type: ValueType; named: Named; found: Omit<FoundName, "matched" | "type"> };

type Bucket = {
  key: { value: string };
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
/** The values of which a text is the key or an alias. */
const KEY_OF: Readonly<Record<ValueType, (text: string) => string | undefined>> = {
  category: keyOf,
  city: keyOf,
  technology: technologyKey,
  country: countryCode,
};
const TYPES = Object.keys(VALUE_FIELDS) as ValueType[];

/** For one generation; a value takes some 300 bytes. */
const VALUES_BYTES = 32 * 1024 * 1024;
/** Pages of values of one type that are read: 50,000 values. */
const MAX_PAGES = 5;

export const createNamedValuesCache = () =>
  createSingleFlight<readonly NamedValue[]>(
    createValidatedCache({ maxBytes: VALUES_BYTES, bytesOf: (values) => 300 * values.length }),
  );

/** Every category, city, technology and country of a company, with its counts. */
export async function namedValues(search: Search, index: string): Promise<NamedValue[]> {
  return (await Promise.all(TYPES.map((type) => valuesOf(search, index, type)))).flat();
}

async function valuesOf(search: Search, index: string, type: ValueType): Promise<NamedValue[]> {
  const values: NamedValue[] = [];
  let after: Values["after_key"];
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { aggregations } = await search(index, valueCounts(type, after));
    const page = aggregations["values"] as unknown as Values;
    for (const bucket of page.buckets) values.push(namedValue(type, bucket));
    if (page.buckets.length < VALUES_PAGE) break;
    after = page.after_key;
  }
  return values;
}

type Values = { buckets: Bucket[]; after_key?: Record<string, string> };

function namedValue(type: ValueType, { key: { value: key }, doc_count, rounds, country }: Bucket): NamedValue {
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
    const { documents } = await search<Pick<SignalsDocument, "row">>(index, spellings(field, keys));
    for (const { row } of documents) {
      const name = rowOf(row).company[type];
      if (name !== null) names.set(`${type} ${keyOf(name)}`, name);
    }
  };
  await Promise.all([read("category"), read("city")]);
  return found.map((one) => ({ ...one, name: names.get(`${one.type} ${one.key}`) ?? one.name }));
}
