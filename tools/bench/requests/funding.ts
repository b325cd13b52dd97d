import { dayOf, isoDay } from "@tranche/shared/domain/time/day";
import { createRandom, zipf } from "../data/random.ts";
import { COUNTRIES } from "../data/words.ts";
import { NOW, type World } from "../data/world.ts";
import { distinct, listOf, queryString } from "./draws.ts";

const TYPES = "seed,series_a,series_b,series_c,pre_seed,grant,angel,series_d,private_equity,bridge".split(",");
const AMOUNTS = [100_000, 250_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000];
const SORTS = ["announced_date_asc", "amount_desc", "amount_asc"];

/**
 * Query strings of the funding list, all different: one to four filters of the kinds that callers combine, mostly the default
 * order, mostly the first page.
 */
export function fundingRequests(world: World, seed: number): Generator<string, never> {
  const random = createRandom(seed);
  const countryOf = zipf(COUNTRIES.length, 0.9);
  const typeOf = zipf(TYPES.length, 0.7);
  const investorOf = zipf(world.investors.length, 0.8);
  const today = dayOf(NOW);
  const maybe = <T>(probability: number, draw: () => T) => (random.chance(probability) ? draw() : undefined);

  return distinct(() => {
    const from = maybe(0.5, () => today - random.below(15 * 365));
    const least = maybe(0.4, () => random.pick(AMOUNTS) + 1000 * random.below(100));
    const filters = {
      country: maybe(0.6, () => listOf(random, 3, () => COUNTRIES[countryOf(random)]!)),
      deal_types: maybe(0.5, () => listOf(random, 3, () => TYPES[typeOf(random)]!)),
      investors: maybe(0.15, () => world.investors[investorOf(random)]!.slug),
      from: from === undefined ? undefined : isoDay(from),
      to: from === undefined ? undefined : maybe(0.5, () => isoDay(from + 30 + random.below(900))),
      min_amount_usd: least,
      max_amount_usd: least === undefined ? undefined : maybe(0.4, () => least * (2 + random.below(20))),
    };
    if (Object.values(filters).every((value) => value === undefined)) filters.country = random.pick(COUNTRIES);
    return queryString({
      ...filters,
      sort: maybe(0.3, () => random.pick(SORTS)),
      offset: maybe(0.2, () => 10 * (1 + random.below(20))),
    });
  });
}
