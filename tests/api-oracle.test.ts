import { SIGNAL_KEYS } from "@tranche/shared/domain/signals/catalogue";
import { DEAL_TYPES, dealTypes as knownDealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { companiesParameters } from "@tranche/read-models/parameters/companies";
import { fundingParameters } from "@tranche/read-models/parameters/funding";
import { investorsParameters } from "@tranche/read-models/parameters/investors";
import { signalsParameters } from "@tranche/read-models/parameters/signals";
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { undocumented } from "./support/documented.ts";
import {
  type Chosen,
  type Named,
  type Wanted,
  wantedCompanies,
  wantedInvestors,
  wantedRounds,
  wantedSignals,
} from "./support/oracle.ts";
import { sized } from "./support/sized.ts";
import { plansWithoutLimits } from "./support/plans-file.ts";
import { storeWorld } from "./support/store-world.ts";
import { withService } from "./support/with-service.ts";
import {
  ALIASES,
  CATEGORIES,
  CITIES,
  COUNTRIES,
  INVESTOR_KINDS,
  INVESTORS,
  makeInvestors,
  makeWorld,
  NAMES,
  TECHNOLOGIES,
  type Thing,
} from "./support/world.ts";
import { investorId } from "./support/world-documents.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";

/** More than are scanned to find a page, in each list. */
const SIZE = sized(3000, 20_000);
const INVESTORS_SIZE = sized(1200, 2000);
/** Requests of rounds, and as many of companies with signals. The other lists have fewer filters. */
const RUNS = sized(60, 1200);

const OF_A_PAGE: ReadonlySet<string> = new Set(["limit", "offset", "cursor"]);
/** The parameters of each list but those of a page. */
const FILTERS = Object.fromEntries(
  Object.entries({
    funding: fundingParameters(knownDealTypes()),
    signals: signalsParameters(knownDealTypes()),
    companies: companiesParameters(knownDealTypes()),
    investors: investorsParameters(knownDealTypes()),
  }).map(([list, table]) => [
    list,
    Object.keys(table)
      .filter((name) => !OF_A_PAGE.has(name))
      .toSorted(),
  ]),
);

type Answer = {
  data: ({ id: string } | { company: { id: string } } | { company_id: string })[];
  pagination: { count: number; limit: number; offset: number; has_more: boolean; next_cursor: string | null };
  filters_applied: Record<string, string | number | boolean | string[]>;
  warnings?: unknown[];
};

/** With and without caches the answers are the same; a repeated request is answered from the cache. */
describe.each([
  { cache: "on", shards: 1, runs: RUNS },
  { cache: "off", shards: 3, runs: sized(40, 300) },
])("any request, caches $cache, shards $shards,", ({ cache, shards, runs }) => {
  const world = { ...makeWorld(SIZE, 20_131_031), investors: makeInvestors(INVESTORS_SIZE, 31) };
  const wantedOf = {
    funding: (wanted: Wanted) => wantedRounds(world.rounds, wanted),
    signals: (wanted: Wanted) => wantedSignals(world.companies, wanted),
    companies: (wanted: Wanted) => wantedCompanies(world.companies, wanted),
    investors: (wanted: Wanted) => wantedInvestors(world.investors, wanted),
  };
  type List = keyof typeof wantedOf;
  const { service, engines } = withService({
    env: {
      TRANCHE_PLANS_FILE: plansWithoutLimits(),
      TRANCHE_LOG_LEVEL: "info",
      TRANCHE_CACHE: cache,
      TRANCHE_SHARDS: String(shards),
    },
  });
  let key: string;

  beforeAll(async () => {
    await storeWorld(engines, service.namespace, world, { shards });
    await service.startApi();
    key = await service.key();
  }, 240_000);

  const get = async (path: string): Promise<{ answer: Answer; next: string | undefined }> => {
    const ask = async () => {
      const response = await fetchUnlessBusy(new URL(path, service.base), {
        headers: { authorization: `Bearer ${key}` },
      });
      return { response, text: await response.text() };
    };
    const { response, text } = await ask();
    expect(response.status, `${path}: ${text}`).toBe(200);
    if (cache === "on") {
      const again = await ask();
      expect(again.text).toBe(text);
      expect(again.response.headers.get("etag")).toBe(response.headers.get("etag"));
    }
    expect(undocumented(path.split("?")[0]!, response, text)).toEqual([]);
    const answer = JSON.parse(text) as Answer;
    return { answer, next: /<([^<>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] };
  };

  /** What the list gives is what plain loops over everything give, and filters_applied gives it again. */
  const holds = async (list: List, asked: Asked) => {
    const all = wantedOf[list](asked.wanted);
    const limit = asked.limit ?? 10;
    const offset = Math.floor(asked.depth * (all.length + 3));
    const page = `${asked.limit === undefined ? "" : `&limit=${limit}`}${offset === 0 ? "" : `&offset=${offset}`}`;
    const { answer } = await get(`/api/v1/${list}?${asked.query}${page}`);
    const has_more = offset + limit < all.length;
    const next_cursor = has_more ? (expect.any(String) as string) : null;
    expect(answer.pagination).toEqual({ count: all.length, limit, offset, has_more, next_cursor });
    expect(answer.data.map(idOf)).toEqual(all.slice(offset, offset + limit));
    const again = await get(`/api/v1/${list}?${sentBack(answer.filters_applied)}${page}`);
    expect(again.answer.data.map(idOf)).toEqual(answer.data.map(idOf));
    expect(again.answer.filters_applied).toEqual(answer.filters_applied);
    return all.length;
  };

  /** Any request to the list. Together they have every filter, and many of them find rows: otherwise they would show little. */
  const anyHolds = async (list: List, requests: fc.Arbitrary<Asked>, { numRuns, seed }: Drawn) => {
    const sent = new Set<string>();
    let found = 0;
    const property = fc.asyncProperty(requests, async (asked) => {
      for (const name of new URLSearchParams(asked.query).keys()) sent.add(name);
      if ((await holds(list, asked)) > 0) found++;
    });
    await fc.assert(property, { numRuns, seed });
    expect([...sent].toSorted()).toEqual(FILTERS[list]);
    expect(found).toBeGreaterThan(numRuns / 4);
  };

  test(
    "for rounds finds exactly those that fit, in order",
    () => anyHolds("funding", fundingRequest, { numRuns: runs, seed: 1 }),
    300_000,
  );

  test(
    "for companies with signals finds exactly those that fit, in order",
    () => anyHolds("signals", signalsRequest, { numRuns: runs, seed: 2 }),
    300_000,
  );

  test(
    "for all companies finds exactly those that fit, in order",
    () => anyHolds("companies", companiesRequest, { numRuns: Math.max(40, runs / 3), seed: 7 }),
    300_000,
  );

  test(
    "for investors finds exactly those that fit, in order",
    () => anyHolds("investors", investorsRequest, { numRuns: Math.max(40, runs / 3), seed: 9 }),
    300_000,
  );

  /** Following `next` from the first page gives all rows, once each and in order. */
  const follow = async (list: List, { query, wanted }: Asked) => {
    const all = wantedOf[list](wanted);
    if (all.length > 3000) return;
    const seen: string[] = [];
    let path: string | undefined = `/api/v1/${list}?${query}&limit=1000`;
    while (path) {
      const { answer, next } = await get(path);
      expect(answer.data.length).toBeLessThanOrEqual(50);
      seen.push(...answer.data.map(idOf));
      path = next;
    }
    expect(seen).toEqual(all);
  };

  /** So does following `next_cursor`, whatever the size of each page. */
  const followCursors = async (list: List, { query, wanted }: Asked) => {
    const all = wantedOf[list](wanted);
    const seen: string[] = [];
    const limits = [50, 49, 7, 50];
    for (let cursor = "", turn = 0; seen.length < Math.min(all.length, 1500); turn++) {
      const limit = limits[turn % limits.length]!;
      const { answer } = await get(`/api/v1/${list}?${query}&limit=${limit}${cursor}`);
      seen.push(...answer.data.map(idOf));
      const { count, has_more, next_cursor } = answer.pagination;
      expect([count, has_more]).toEqual([all.length, seen.length < all.length]);
      expect(next_cursor === null).toBe(!has_more);
      cursor = `&cursor=${next_cursor}`;
    }
    expect(seen).toEqual(all.slice(0, seen.length));
  };

  test("gives all its rows once each along the links", async () => {
    await fc.assert(
      fc.asyncProperty(fundingRequest, (asked) => follow("funding", asked)),
      { numRuns: sized(6, 40), seed: 3 },
    );
    await fc.assert(
      fc.asyncProperty(signalsRequest, (asked) => follow("signals", asked)),
      { numRuns: sized(6, 40), seed: 4 },
    );
  }, 300_000);

  test("gives all its rows once each along the cursors", async () => {
    await fc.assert(
      fc.asyncProperty(fundingRequest, (asked) => followCursors("funding", asked)),
      { numRuns: Math.ceil(runs / 12), seed: 5 },
    );
    await fc.assert(
      fc.asyncProperty(signalsRequest, (asked) => followCursors("signals", asked)),
      { numRuns: Math.ceil(runs / 12), seed: 6 },
    );
    await fc.assert(
      fc.asyncProperty(companiesRequest, (asked) => followCursors("companies", asked)),
      { numRuns: Math.ceil(runs / 36), seed: 8 },
    );
    await fc.assert(
      fc.asyncProperty(investorsRequest, (asked) => followCursors("investors", asked)),
      { numRuns: Math.ceil(runs / 36), seed: 10 },
    );
  }, 300_000);
});

/** How many requests are drawn, and which. */
type Drawn = { numRuns: number; seed: number };

/** A request as it is sent, without its page, and what it means. `depth` is the share of the rows to skip. */
type Asked = { query: string; wanted: Wanted; limit: number | undefined; depth: number };

/** An item of a list: its meaning, one of its spellings, and whether a `!` before it excludes it. */
type Item<T> = { means: T; text: string; not: boolean };

/** A list of such items. Nothing is both included and excluded. */
const listOf = <T>(item: fc.Arbitrary<{ means: T; text: string }>, most: number): fc.Arbitrary<Item<T>[]> =>
  fc
    .tuple(
      fc.array(fc.tuple(item, fc.nat({ max: 3 })), { minLength: 1, maxLength: most }),
      fc.constantFrom("include", "exclude", "mixed", "include", "mixed"),
    )
    .map(([items, how]) => {
      const excluded = new Map<T, boolean>();
      return items.map(([{ means, text }, chance]) => {
        const not = excluded.get(means) ?? (how === "mixed" ? chance === 0 : how === "exclude");
        excluded.set(means, not);
        return { means, text, not };
      });
    });
/** One of so many requests has it. */
const oneIn = <T>(all: number, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: all - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => oneIn(3, arbitrary);
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => oneIn(6, arbitrary);

/** Things, and for each one of its spellings. */
const oneSpelled = (things: readonly Thing[]) =>
  fc
    .constantFrom(...things, ...things.slice(0, 8))
    .chain((thing) => fc.constantFrom(...thing.spellings).map((text) => ({ means: thing, text })));
const spelled = (things: readonly Thing[]) => listOf(oneSpelled(things), 4);
/** Things by their spellings, or by the ids that some of them have. */
const spelledOrIds = (things: readonly Thing[], ids: readonly { id: string }[]) =>
  listOf<Named>(
    fc.oneof(
      { weight: 3, arbitrary: oneSpelled(things) },
      { weight: 1, arbitrary: fc.constantFrom(...ids).map((named) => ({ means: named, text: named.id })) },
    ),
    4,
  );
const investors = spelledOrIds(
  INVESTORS,
  INVESTORS.slice(0, 20).map((investor) => ({ id: investorId(investor) })),
);
/** Names without a letter or digit have no key. */
const companies = (ids: readonly string[]) =>
  spelledOrIds(
    [...NAMES.filter(({ key }) => key !== ""), ...ALIASES],
    ids.map((id) => ({ id })),
  );
const beginningOf = (word: string) => {
  const letters = Array.from(word);
  return fc.integer({ min: 1, max: letters.length }).map((end) => letters.slice(0, end).join(""));
};
/** Beginnings of words of one or two names, as people type them: in any order, some with a word too many. */
const typed = fc
  .array(
    fc
      .constantFrom(...NAMES.slice(0, 12), ...NAMES, ...ALIASES)
      .filter(({ key }) => key !== "")
      .chain(({ key }) => fc.shuffledSubarray(key.split("-"), { minLength: 1 }))
      .chain((all) => fc.tuple(...all.map((word) => beginningOf(word)))),
    { minLength: 1, maxLength: 2 },
  )
  .map((names) => (names.length === 2 && names[0]!.length > 1 ? names[0]! : names.flat()));
const words = (all: readonly string[]) =>
  listOf(
    fc.constantFrom(...all).map((word) => ({ means: word, text: word })),
    3,
  );
const COUNTRY_SPELLINGS: Record<string, string[]> = {
  US: ["US", "us", "USA", "United States"],
  GB: ["GB", "uk", "gbr", "United Kingdom"],
  DE: ["DE", "Germany", "DEU"],
  FR: ["fr", "France"],
  IN: ["IN", "india"],
  BR: ["BR", "Brazil"],
};
const countries = listOf<string>(
  fc
    .constantFrom(...COUNTRIES)
    .chain((code) => fc.constantFrom(...COUNTRY_SPELLINGS[code]!).map((text) => ({ means: code, text }))),
  3,
);
const dealTypes = listOf<string>(
  fc
    .constantFrom(...DEAL_TYPES, "seed", "series_a")
    .chain((type) =>
      fc
        .constantFrom(type, type.toUpperCase(), type.replaceAll("_", " "), type.replaceAll("_", "-"))
        .map((text) => ({ means: type, text })),
    ),
  4,
);
const recent = fc
  .nat({ max: 210 })
  .map((back) => new Date(Date.UTC(2013, 9, 31) - back * 86_400_000).toISOString().slice(0, 10));
const days = fc
  .nat({ max: 15_500 })
  .map((back) => new Date(Date.UTC(2014, 0, 1) - back * 86_400_000).toISOString().slice(0, 10));
const amounts = fc.constantFrom(
  0,
  0.01,
  50_000,
  1_000_000,
  2_500_000.5,
  9_999_999.99,
  10_000_000,
  5e8,
  999_999_999_999_999,
);
const people = fc.constantFrom(0, 1, 10, 50, 1000, 3000, 2_147_483_647);
const years = fc.constantFrom(0, 1990, 1999, 2005, 2013, 9999);
const limits = fc.constantFrom(undefined, 1, 7, 10, 50);
const depths = fc.oneof(fc.constant(0), fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true }));

/** What can be asked of rounds and of companies alike. */
type AskedOfBoth = {
  country: Item<string>[] | undefined;
  cities: Item<Thing>[] | undefined;
  categories: Item<Thing>[] | undefined;
  companies: Item<Named>[] | undefined;
  dealTypes: Item<string>[] | undefined;
  investors: Item<Named>[] | undefined;
  investorsMatch: string | undefined;
  dates: [string, string] | undefined;
  amounts: [number, number] | undefined;
  which: string;
  sort: string | undefined;
};

/** The same as parameters, but for the types of rounds, which each list calls by another name, and what it means. */
function ofBoth(asked: AskedOfBoth) {
  const [from, to] = bounds(asked.dates, asked.which, (a, b) => (a < b ? -1 : 1));
  const [least, most] = bounds(asked.amounts, asked.which, (a, b) => a - b);
  const parameters = {
    country: asked.country?.map(inList),
    city: asked.cities?.map(inList),
    category: asked.categories?.map(inList),
    companies: asked.companies?.map(inList),
    investors: asked.investors?.map(inList),
    investors_match: asked.investorsMatch,
    from,
    to,
    min_amount_usd: least,
    max_amount_usd: most,
    sort: asked.sort,
  };
  const wanted = {
    country: chosen(asked.country),
    cities: chosen(asked.cities),
    categories: chosen(asked.categories),
    companies: chosen(asked.companies),
    dealTypes: chosen(asked.dealTypes),
    investors: chosen(asked.investors),
    allInvestors: asked.investorsMatch === "all",
    from,
    to,
    least,
    most,
    sort: asked.sort,
  };
  return { parameters, wanted };
}

const fundingRequest: fc.Arbitrary<Asked> = fc
  .record({
    country: optional(countries),
    cities: rarely(spelled(CITIES)),
    categories: rarely(spelled(CATEGORIES)),
    companies: rarely(companies(Array.from({ length: 300 }, (_, n) => `co-${n}`))),
    dealTypes: optional(dealTypes),
    investors: optional(investors),
    investorsMatch: rarely(fc.constantFrom("any", "all")),
    leads: rarely(investors),
    disclosed: rarely(fc.boolean()),
    repeated: fc.boolean(),
    dates: optional(fc.tuple(days, days)),
    amounts: optional(fc.tuple(amounts, amounts)),
    which: fc.constantFrom("low", "high", "both"),
    sort: oneIn(2, fc.constantFrom("announced_date_desc", "announced_date_asc", "amount_desc", "amount_asc")),
    limit: limits,
    depth: depths,
  })
  .map((asked) => {
    const both = ofBoth(asked);
    const parameters = {
      ...both.parameters,
      deal_types: asked.dealTypes?.map(inList),
      lead_investors: asked.leads?.map(inList),
      disclosed: asked.disclosed,
    };
    const wanted = defined({ ...both.wanted, leads: chosen(asked.leads), disclosed: asked.disclosed });
    return { query: written(parameters, asked.repeated), wanted, limit: asked.limit, depth: asked.depth };
  });

const companyRequest = (
  sorts: readonly string[],
  names: fc.Arbitrary<readonly string[] | undefined> = fc.constant(undefined),
): fc.Arbitrary<Asked> =>
  fc
    .record({
      typed: names,
      signals: optional(words(SIGNAL_KEYS)),
      signalMatch: optional(fc.constantFrom("any", "all")),
      detectedSince: rarely(recent),
      companies: rarely(companies(["c-0.0", "no such id"])),
      investors: rarely(investors),
      investorsMatch: rarely(fc.constantFrom("any", "all")),
      dates: rarely(fc.tuple(days, days)),
      amounts: rarely(fc.tuple(amounts, amounts)),
      totals: rarely(fc.tuple(amounts, amounts)),
      which: fc.constantFrom("low", "high", "both"),
      leastRounds: rarely(fc.constantFrom(0, 1, 3, 2_147_483_647)),
      people: rarely(fc.tuple(people, people)),
      founded: rarely(fc.tuple(years, years)),
      repeated: fc.boolean(),
      leastScore: optional(fc.constantFrom(0, 20, 49.5, 50, 100)),
      country: optional(countries),
      cities: optional(spelled(CITIES)),
      categories: optional(spelled(CATEGORIES)),
      dealTypes: optional(dealTypes),
      technologies: optional(spelled(TECHNOLOGIES)),
      techMatch: optional(fc.constantFrom("any", "all")),
      format: optional(fc.constantFrom("default", "flat")),
      sort: oneIn(2, fc.constantFrom(...sorts)),
      limit: limits,
      depth: depths,
    })
    .map((asked) => {
      const both = ofBoth(asked);
      const [leastTotal, mostTotal] = bounds(asked.totals, asked.which, (a, b) => a - b);
      const [fewestPeople, mostPeople] = bounds(asked.people, asked.which, (a, b) => a - b);
      const [firstYear, lastYear] = bounds(asked.founded, asked.which, (a, b) => a - b);
      const parameters = {
        ...both.parameters,
        q: asked.typed?.join(" "),
        signal: asked.signals?.map(inList),
        signal_match: asked.signalMatch,
        detected_since: asked.detectedSince,
        min_signal_score: asked.leastScore,
        deal_type: asked.dealTypes?.map(inList),
        min_total_raised_usd: leastTotal,
        max_total_raised_usd: mostTotal,
        min_round_count: asked.leastRounds,
        min_headcount: fewestPeople,
        max_headcount: mostPeople,
        min_founded_year: firstYear,
        max_founded_year: lastYear,
        tech_stack: asked.technologies?.map(inList),
        tech_match: asked.techMatch,
        format: asked.format,
      };
      const wanted = defined({
        ...both.wanted,
        typed: asked.typed,
        signals: chosen(asked.signals),
        allSignals: asked.signalMatch === "all",
        detectedSince: asked.detectedSince,
        leastScore: asked.leastScore,
        leastTotal,
        mostTotal,
        leastRounds: asked.leastRounds,
        fewestPeople,
        mostPeople,
        firstYear,
        lastYear,
        technologies: chosen(asked.technologies),
        allTechnologies: asked.techMatch === "all",
      });
      return { query: written(parameters, asked.repeated), wanted, limit: asked.limit, depth: asked.depth };
    });

const signalsRequest = companyRequest([
  "signal_score_desc",
  "signal_score_asc",
  "latest_funding_desc",
  "latest_funding_asc",
  "amount_desc",
  "amount_asc",
  "headcount_desc",
  "name_asc",
  "name_desc",
]);
const companiesRequest = companyRequest(
  [
    "name_asc",
    "name_desc",
    "signal_score_desc",
    "total_raised_desc",
    "total_raised_asc",
    "latest_funding_desc",
    "latest_funding_asc",
    "round_count_desc",
    "headcount_desc",
  ],
  rarely(typed),
);

const investorsRequest: fc.Arbitrary<Asked> = fc
  .record({
    typed: rarely(typed),
    country: optional(countries),
    // Several lists at once leave few investors or none.
    kinds: rarely(spelled(INVESTOR_KINDS)),
    categories: rarely(spelled(CATEGORIES)),
    dealTypes: rarely(dealTypes),
    dates: optional(fc.tuple(days, days)),
    which: fc.constantFrom("low", "high", "both", "both"),
    leastRounds: rarely(fc.constantFrom(0, 1, 10, 2_147_483_647)),
    repeated: fc.boolean(),
    sort: oneIn(
      2,
      fc.constantFrom("round_count_desc", "lead_count_desc", "company_count_desc", "latest_round_desc", "name_asc"),
    ),
    limit: limits,
    depth: depths,
  })
  .map((asked) => {
    const [from, to] = bounds(asked.dates, asked.which, (a, b) => (a < b ? -1 : 1));
    const { sort } = asked;
    const parameters = {
      q: asked.typed?.join(" "),
      country: asked.country?.map(inList),
      kind: asked.kinds?.map(inList),
      category: asked.categories?.map(inList),
      deal_types: asked.dealTypes?.map(inList),
      from,
      to,
      min_round_count: asked.leastRounds,
      sort,
    };
    const wanted = defined({
      typed: asked.typed,
      country: chosen(asked.country),
      kinds: chosen(asked.kinds),
      categories: chosen(asked.categories),
      dealTypes: chosen(asked.dealTypes),
      from,
      to,
      leastRounds: asked.leastRounds,
      sort,
    });
    return { query: written(parameters, asked.repeated), wanted, limit: asked.limit, depth: asked.depth };
  });

/** Two values as lower and upper bound, or one of them. */
function bounds<T>(
  pair: [T, T] | undefined,
  which: string,
  compare: (a: T, b: T) => number,
): [T | undefined, T | undefined] {
  if (!pair) return [undefined, undefined];
  const [low, high] = pair.toSorted(compare) as [T, T];
  return [which === "high" ? undefined : low, which === "low" ? undefined : high];
}

type Parameters = Record<string, string | number | boolean | readonly string[] | undefined>;

/** A query string, written as the documentation says; `repeated`: with one item of a list in each parameter. */
function written(parameters: Parameters, repeated = false): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => {
      if (value === undefined) return [];
      const texts = typeof value !== "object" ? [String(value)] : repeated ? value : [value.join(",")];
      return texts.map((text) => `${name}=${encodeURIComponent(text)}`);
    })
    .join("&");
}

/** An item as a caller writes it in a list. */
function inList({ text, not }: Item<unknown>): string {
  const item = /,|^["!-]/.test(text) ? inQuotes(text) : text;
  return not ? `!${item}` : item;
}

const inQuotes = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** `filters_applied` as a caller sends it back: commas in plain items need quotes. */
function sentBack(applied: Answer["filters_applied"]): string {
  const item = (text: string) => (text.includes(",") && !/^!?"/.test(text) ? inQuotes(text) : text);
  const parameters = Object.entries(applied).map(([name, value]) => [
    name,
    typeof value === "object" ? value.map(item) : value,
  ]);
  return written(Object.fromEntries(parameters) as Parameters);
}

function chosen<T>(items: readonly Item<T>[] | undefined): Chosen<T> | undefined {
  const meaning = (not: boolean) => items!.flatMap((item) => (item.not === not ? [item.means] : []));
  return items && { any: meaning(false), none: meaning(true) };
}

function defined(wanted: { [K in keyof Wanted]: Wanted[K] | undefined }): Wanted {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}

function idOf(row: Answer["data"][number]): string {
  if ("company_id" in row) return row.company_id;
  return "id" in row ? row.id : row.company.id;
}
