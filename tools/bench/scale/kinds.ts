import { FUNDING_DIMENSIONS, SIGNALS_DIMENSIONS } from "../../../libs/read-models/parameters/dimensions.ts";
import { createRandom } from "../data/random.ts";
import type { World } from "../data/world.ts";
import { fundingRequests } from "../requests/funding.ts";
import { typedNames } from "../requests/names.ts";
import { signalsRequests } from "../requests/signals.ts";

/**
 * Requests of one kind, each of them new. `next` gives the path after `/api/v1`. `held`: its median may only double when data grow
 * tenfold. `grouped`: the API may refuse it, for there are more groups than it makes. `ofRecords`: the answer is made of records, too.
 */
export type Kind = { name: string; held: boolean; grouped?: true; ofRecords?: true; next: () => string };

/** How many rows a list has, and cursors into its middle. */
export type Walked = { rows: number; cursors: readonly string[] };

/** The lists that are read page by page, each in an order of its own. */
export const WALKED = ["/funding", "/signals", "/companies?sort=name_asc", "/investors"] as const;
export type WalkedList = (typeof WALKED)[number];

const LIMITS = Array.from({ length: 41 }, (_, n) => 10 + n);
const SHARES_DOWN = [0, 0.01, 0.5, 0.99];
const DAYS = 20 * 365;
const FIRST_DAY = Date.UTC(2005, 0, 1);

/** A path with one more parameter. */
export const withParameter = (path: string, name: string, value: string | number): string =>
  `${path}${path.includes("?") ? "&" : "?"}${name}=${value}`;

/** All kinds of requests, for what `walked` says of the lists. */
export function kindsOf(world: World, walked: Readonly<Record<WalkedList, Walked>>, seed: number): Kind[] {
  const random = createRandom(seed);
  const day = () => new Date(FIRST_DAY + 86_400_000 * random.below(DAYS)).toISOString().slice(0, 10);
  const funding = fundingRequests(world, seed);
  const signals = signalsRequests(world, seed);
  const typed = typedNames(world, seed);
  const held = (name: string, next: () => string): Kind => ({ name, held: true, next });
  const grouped = (list: string, by: readonly string[], filter: () => string): Kind => ({
    name: `${list}/stats, ${by.join(" and ")}`,
    held: false,
    grouped: true,
    next: () => `${list}/stats?group_by=${by.join(",")}&${filter()}`,
  });
  const rounds = () => `min_amount_usd=${random.below(1_000_000)}`;
  const companies = () => `max_amount_usd=${100_000_000 + random.below(100_000_000)}`;
  return [
    held("/funding, new filters", () => `/funding?${funding.next().value}`),
    held("/signals, new filters", () => `/signals?${signals.next().value}`),
    held("/companies, new filters", () => `/companies?${withoutSort(signals.next().value)}`),
    held("/investors, new filters", () => `/investors?from=${day()}&limit=${1 + random.below(50)}`),
    held("/search, typed names", () => `/search?limit=5&q=${encodeURIComponent(typed.next().value.q)}`),
    held("/funding, amount_asc", () => `/funding?sort=amount_asc&from=${day()}`),
    held(
      "/signals, signal_score_asc",
      () => `/signals?sort=signal_score_asc&max_amount_usd=${100_000 + random.below(50_000_000)}`,
    ),
    held("/companies, name_desc", () => `/companies?sort=name_desc&min_total_raised_usd=${random.below(50_000_000)}`),
    ...WALKED.flatMap((list) => pagesOf(list, walked[list])),
    held("/companies/{id}", () => `/companies/${world.family(random.below(world.companies)).company.id}`),
    {
      ...held("/investors/{id}", () => `/investors/${world.investors[random.below(world.investors.length)]!.id}`),
      ofRecords: true,
    },
    ...Object.keys(FUNDING_DIMENSIONS).map((by) => grouped("/funding", [by], rounds)),
    grouped("/funding", ["country", "year"], rounds),
    grouped("/funding", ["category", "month"], rounds),
    ...Object.keys(SIGNALS_DIMENSIONS).map((by) => grouped("/signals", [by], companies)),
    grouped("/signals", ["country", "technology"], companies),
  ];
}

/** Pages of a list by offset, the first one among them, and by cursor. */
function pagesOf(list: WalkedList, { rows, cursors }: Walked): Kind[] {
  const name = list.replace("?", ", ");
  // Each cursor with each limit: a page that was there before would come from a cache.
  const continued = LIMITS.flatMap((limit) => cursors.map((cursor) => ({ limit, cursor })));
  let nth = 0;
  return [
    ...SHARES_DOWN.map((share): Kind => {
      let turn = 0;
      return {
        name: `${name}, ${100 * share} % down`,
        held: false,
        next: () => withParameter(list, "offset", Math.floor(share * rows) + turn++),
      };
    }),
    {
      name: `${name}, by cursor from the middle`,
      held: true,
      next() {
        const { limit, cursor } = continued[nth++ % continued.length]!;
        return withParameter(withParameter(list, "limit", limit), "cursor", cursor);
      },
    },
  ];
}

/** The list of all companies has the filters of `/signals`, and other orders. */
function withoutSort(query: string): string {
  const parameters = new URLSearchParams(query);
  parameters.delete("sort");
  return parameters.toString().replaceAll("%2C", ",");
}
