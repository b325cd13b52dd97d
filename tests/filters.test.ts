import { changesBetween, type State } from "@tranche/shared/protocol/generations/changes";
import type { InvestorDocument } from "@tranche/read-models/documents/investors";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import { namePrefixes } from "@tranche/read-models/documents/names";
import { signalDetection } from "@tranche/read-models/documents/companies";
import { readModelIndex, searchedFields } from "@tranche/read-models/indices/mappings";
import {
  beginWords,
  anyOf,
  atLeast,
  atMost,
  between,
  clauses,
  either,
  type Filter,
  hasValue,
  isTrue,
  noneOf,
} from "@tranche/read-models/query/filters";
import { createMatches } from "@tranche/read-models/query/matches";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import { wordsOf } from "@tranche/shared/domain/text/words";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "./support/sized.ts";
import { withService } from "./support/with-service.ts";

const DOCUMENTS = 400;

const WORDS = ["a", "b", "c", "北京"] as const;
const SIGNALS = ["hiring", "hiring_surge", "award"] as const;
const DAYS = ["1969-12-31", "2013-10-01", "2013-10-02", "2013-10-31"] as const;
const NUMBERS = [0, 0.01, 1, 2_500_000.5, 999_999_999_999_999] as const;

const words = fc.constantFrom(...WORDS);
const days = fc.constantFrom(...DAYS);
const numbers = fc.constantFrom(...NUMBERS);
const some = fc.subarray([...WORDS], { minLength: 1 });
const orNone = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });

/** Names and queries of few letters, so that many words begin others. */
const nameWords = fc.array(fc.string({ unit: fc.constantFrom("d", "a", "é", "北"), minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 4,
});
const names = nameWords.map((all) => all.join(" "));

/** The searched fields of a company; each may be missing, null or an empty list. */
const companies: fc.Arbitrary<Partial<CompanyDocument>> = fc.record(
  {
    country: orNone(words),
    company_keys: fc.subarray([...WORDS]),
    investor_ids: fc.subarray([...WORDS]),
    latest_announced_date: orNone(days),
    latest_amount_usd: orNone(numbers),
    total_raised_usd: orNone(numbers),
    round_count: fc.constantFrom(0, 1, 7),
    headcount: orNone(fc.constantFrom(0, 1, 7, 1_000_000_000)),
    founded_year: orNone(fc.constantFrom(0, 1999, 2013)),
    listed: fc.boolean(),
    name_prefixes: fc.array(names, { maxLength: 3 }).map(namePrefixes),
    signal_detections: fc.uniqueArray(
      fc.tuple(fc.constantFrom(...SIGNALS), days).map(([key, day]) => signalDetection(key, day)),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);

const TEXTS = fc.constantFrom("country" as const, "company_keys" as const, "investor_ids" as const);
const ofCompanies: fc.Arbitrary<Filter[]> = fc.oneof(
  fc.tuple(TEXTS, some).map(([field, values]) => anyOf<CompanyDocument>(field, values)),
  fc.tuple(TEXTS, some).map(([field, values]) => values.flatMap((value) => anyOf<CompanyDocument>(field, [value]))),
  fc.tuple(TEXTS, some).map(([field, values]) => noneOf<CompanyDocument>(field, values)),
  fc
    .tuple(fc.constantFrom("country" as const, "company_keys" as const, "latest_amount_usd" as const), fc.boolean())
    .map(([field, exists]) => hasValue<CompanyDocument>(field, exists)),
  fc.constant(isTrue<CompanyDocument>("listed")),
  names.map((name) => beginWords(wordsOf(name))),
  days.map((day) => atLeast<CompanyDocument>("latest_announced_date", day)),
  days.map((day) => atMost<CompanyDocument>("latest_announced_date", day)),
  numbers.map((value) => atLeast<CompanyDocument>("total_raised_usd", value)),
  numbers.map((value) => atMost<CompanyDocument>("latest_amount_usd", value)),
  numbers.map((value) => atLeast<CompanyDocument>("round_count", Math.ceil(value))),
  fc.constantFrom(0, 1, 8, 2_147_483_647).map((value) => atLeast<CompanyDocument>("headcount", value)),
  fc.constantFrom(0, 1999, 9999).map((value) => atMost<CompanyDocument>("founded_year", value)),
  fc
    .tuple(fc.constantFrom(...SIGNALS), days)
    .map(([key, day]) =>
      between<CompanyDocument>("signal_detections", signalDetection(key, day), signalDetection(key, "9999-12-31")),
    ),
);

/** As companies; the list of days is what companies have no like of. */
const investors: fc.Arbitrary<Partial<InvestorDocument>> = fc.record(
  {
    country: orNone(words),
    category_keys: fc.subarray([...WORDS]),
    latest_round_date: orNone(days),
    round_dates: fc.subarray([...DAYS]),
    round_count: fc.constantFrom(0, 1, 7),
    name_prefixes: fc.array(names, { maxLength: 3 }).map(namePrefixes),
  },
  { requiredKeys: [] },
);

const CATEGORIES = fc.constantFrom("country" as const, "category_keys" as const);
/** The first and the last one are how a missing bound is asked for. */
const bounds = fc.constantFrom("0001-01-01", ...DAYS, "2013-10-03", "9999-12-31");
const ofInvestors: fc.Arbitrary<Filter[]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(bounds, bounds)
      .map((both) => between<InvestorDocument>("round_dates", ...(both.toSorted() as [string, string]))),
  },
  fc.tuple(CATEGORIES, some).map(([field, values]) => anyOf<InvestorDocument>(field, values)),
  fc.tuple(CATEGORIES, some).map(([field, values]) => noneOf<InvestorDocument>(field, values)),
  fc.boolean().map((exists) => hasValue<InvestorDocument>("round_dates", exists)),
  names.map((name) => beginWords(wordsOf(name))),
  days.map((day) => atLeast<InvestorDocument>("latest_round_date", day)),
  fc.constantFrom(0, 1, 8, 2_147_483_647).map((least) => atLeast<InvestorDocument>("round_count", least)),
);

const filtersOf = (condition: fc.Arbitrary<Filter[]>) =>
  fc
    .array(
      fc.oneof(
        condition,
        fc.array(condition, { minLength: 1, maxLength: 3 }).map((all) => either(all.flat())),
      ),
      { maxLength: 4 },
    )
    .map((all) => all.flat());

const { client, names: indices } = withService();

/** Stores made-up documents, and returns their states as the change log has them. */
async function store(
  model: ReadModel,
  documents: readonly Record<string, unknown>[],
): Promise<{ id: string; state: State }[]> {
  const index = indices.generation(model, new Date(0));
  const stored = documents.map((document, n) => ({ id: `id-${n}`, document }));
  await client.indices.create({ index, ...readModelIndex(model, { shards: 1, replicas: 0 }) });
  const operations = stored.flatMap(({ id, document }) => [{ index: { _id: id } }, document]);
  const done = await client.bulk({ index, operations, refresh: true });
  expect(done.errors).toBe(false);
  const states = changesBetween(searchedFields(model), new Map(), stored).moved.map(({ id, is }) => ({
    id,
    state: is!,
  }));
  expect(states).toHaveLength(DOCUMENTS);
  return states;
}

const drawn = <T>(documents: fc.Arbitrary<T>): T[] => fc.sample(documents, { numRuns: DOCUMENTS, seed: 23 });

test.each([
  {
    model: "companies" as const,
    documents: drawn(companies).map((fields, n) => ({
      listed: true,
      company_id: `co-${n}`,
      signal_score: 0,
      ...fields,
    })),
    filters: filtersOf(ofCompanies),
    runs: sized(300, 1000),
  },
  {
    model: "investors" as const,
    documents: drawn(investors).map((fields, n) => ({ listed: true, investor_id: `inv-${n}`, ...fields })),
    filters: filtersOf(ofInvestors),
    runs: sized(150, 400),
  },
])(
  "filters of $model find in Elasticsearch exactly the documents that they match in memory",
  async ({ model, documents: made, filters, runs }) => {
    const index = indices.generation(model, new Date(0));
    const states = await store(model, made);
    let [none, part] = [0, 0];
    await fc.assert(
      fc.asyncProperty(filters, async (asked) => {
        // As caches keep them.
        const kept = JSON.parse(JSON.stringify(asked)) as Filter[];
        const query = { bool: { filter: clauses(kept) } };
        const { hits } = await client.search({ index, query, size: DOCUMENTS, _source: false });
        const found = hits.hits.map((hit) => hit._id!).toSorted(byCodePoint);
        const matches = createMatches(kept);
        expect(found).toEqual(states.flatMap(({ id, state }) => (matches(state) ? [id] : [])).toSorted(byCodePoint));
        if (found.length === 0) none++;
        else if (found.length < DOCUMENTS) part++;
      }),
      { numRuns: runs, seed: 23 },
    );
    // The filters are neither all too narrow nor all too wide.
    expect(part).toBeGreaterThan(runs / 4);
    expect(none).toBeLessThan(runs / 2);
  },
  120_000,
);
