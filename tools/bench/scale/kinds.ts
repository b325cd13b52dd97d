import { createRandom } from "../data/random.ts";
import type { World } from "../data/world.ts";
import { fundingRequests } from "../requests/funding.ts";
import { typedNames } from "../requests/names.ts";
import { signalsRequests } from "../requests/signals.ts";

/** Requests of one kind, each of them new. `next` gives the path after `/api/v1`. `held`: its median may only double when data grow tenfold. */
export type Kind = { name: string; held: boolean; next: () => string };

/** Groupings of which there are as many in ten million rounds as in one. Investors are more than statistics may have groups. */
const GROUPINGS = ["country", "category", "deal_type", "month", "year", "city", "amount_band", "country,year"];
const DAYS = 20 * 365;
const FIRST_DAY = Date.UTC(2005, 0, 1);

/**
 * All kinds of requests, for the lists' lengths. `cursors` continue from rows in the middle of the list of rounds, each for one request.
 */
export function kindsOf(
  world: World,
  { rounds, companies, cursors, seed }: { rounds: number; companies: number; cursors: readonly string[]; seed: number },
): Kind[] {
  const random = createRandom(seed);
  const day = () => new Date(FIRST_DAY + 86_400_000 * random.below(DAYS)).toISOString().slice(0, 10);
  const funding = fundingRequests(world, seed);
  const signals = signalsRequests(world, seed);
  const typed = typedNames(world, seed);
  const down = (path: string, share: number, of: number): Kind => {
    let turn = 0;
    const name = `${path.replace("?", ", ")}, ${100 * share} % down`;
    return {
      name,
      held: false,
      next: () => `${path}${path.includes("?") ? "&" : "?"}offset=${Math.floor(share * of) + turn++}`,
    };
  };
  let nextCursor = 0;
  return [
    { name: "/funding, new filters", held: true, next: () => `/funding?${funding.next().value}` },
    { name: "/signals, new filters", held: true, next: () => `/signals?${signals.next().value}` },
    { name: "/companies, new filters", held: true, next: () => `/companies?${withoutSort(signals.next().value)}` },
    {
      name: "/investors, new filters",
      held: true,
      next: () => `/investors?from=${day()}&limit=${1 + random.below(50)}`,
    },
    {
      name: "/search, typed names",
      held: true,
      next: () => `/search?limit=5&q=${encodeURIComponent(typed.next().value.q)}`,
    },
    { name: "/funding, amount_asc", held: true, next: () => `/funding?sort=amount_asc&from=${day()}` },
    {
      name: "/signals, signal_score_asc",
      held: true,
      next: () => `/signals?sort=signal_score_asc&max_amount_usd=${100_000 + random.below(50_000_000)}`,
    },
    {
      name: "/companies, name_desc",
      held: true,
      next: () => `/companies?sort=name_desc&min_total_raised_usd=${random.below(50_000_000)}`,
    },
    ...[0, 0.01, 0.5, 0.99].map((share) => down("/funding", share, rounds)),
    ...[0, 0.5, 0.99].map((share) => down("/companies?sort=name_asc", share, companies)),
    {
      name: "/funding, by cursor from the middle",
      held: true,
      next: () => `/funding?cursor=${cursors[nextCursor++ % cursors.length]}`,
    },
    {
      name: "/companies/{id}",
      held: true,
      next: () => `/companies/${world.family(random.below(world.companies)).company.id}`,
    },
    {
      name: "/investors/{id}",
      held: true,
      next: () => `/investors/${world.investors[random.below(world.investors.length)]!.id}`,
    },
    ...GROUPINGS.map((by): Kind => ({
      name: `/funding/stats, ${by}`,
      held: false,
      next: () => `/funding/stats?group_by=${by}&min_amount_usd=${random.below(1_000_000)}`,
    })),
  ];
}

/** The list of all companies has the filters of `/signals`, and other orders. */
function withoutSort(query: string): string {
  const parameters = new URLSearchParams(query);
  parameters.delete("sort");
  return parameters.toString().replaceAll("%2C", ",");
}
