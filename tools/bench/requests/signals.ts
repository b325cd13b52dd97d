import { SIGNAL_KEYS } from "@tranche/shared/domain/signals/catalogue";
import { createRandom, zipf } from "../data/random.ts";
import { CATEGORIES, COUNTRIES, TECHNOLOGIES } from "../data/words.ts";
import type { World } from "../data/world.ts";
import { distinct, listOf, queryString } from "./draws.ts";

const SORTS = "signal_score_asc,latest_funding_desc,latest_funding_asc,amount_desc,amount_asc,name_asc,name_desc".split(
  ",",
);

/**
 * Query strings of the signals list, all different: any or all of some signals and technologies, cities, categories, countries and
 * bounds of the score, mostly in the default order, mostly the first page.
 */
export function signalsRequests(world: World, seed: number): Generator<string, never> {
  const random = createRandom(seed);
  const countryOf = zipf(COUNTRIES.length, 0.9);
  const categoryOf = zipf(CATEGORIES.length, 0.7);
  const technologyOf = zipf(TECHNOLOGIES.length, 0.6);
  const maybe = <T>(probability: number, draw: () => T) => (random.chance(probability) ? draw() : undefined);

  return distinct(() => {
    const signal = maybe(0.5, () => listOf(random, 3, () => random.pick(SIGNAL_KEYS)));
    const tech = maybe(0.4, () => listOf(random, 2, () => TECHNOLOGIES[technologyOf(random)]!));
    const city = maybe(0.25, () => random.pick(world.cities[countryOf(random)]!));
    return queryString({
      signal,
      signal_match: signal?.includes(",") ? maybe(0.4, () => "all") : undefined,
      min_signal_score: maybe(0.5, () => random.below(80)),
      city,
      country:
        city === undefined ? maybe(0.4, () => listOf(random, 3, () => COUNTRIES[countryOf(random)]!)) : undefined,
      category: maybe(0.25, () => CATEGORIES[categoryOf(random)]!),
      tech_stack: tech,
      tech_match: tech?.includes(",") ? maybe(0.4, () => "all") : undefined,
      sort: maybe(0.3, () => random.pick(SORTS)),
      offset: maybe(0.2, () => 10 * (1 + random.below(20))),
    });
  });
}
