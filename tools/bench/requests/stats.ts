import { createRandom, zipf } from "../data/random.ts";
import type { World } from "../data/world.ts";
import { distinct } from "./draws.ts";
import { fundingRequests } from "./funding.ts";

/** From what callers ask for most to what they seldom ask for. */
const GROUPINGS = [
  "country",
  "year",
  "category",
  "deal_type",
  "month",
  "",
  "amount_band",
  "country,year",
  "city",
  "investor",
];

/** Query strings of the statistics of rounds, all different: the filters of the list, mostly grouped by one dimension. */
export function statsRequests(world: World, seed: number): Generator<string, never> {
  const random = createRandom(seed);
  const groupingOf = zipf(GROUPINGS.length, 0.5);
  const lists = fundingRequests(world, seed);
  return distinct(() => {
    const query = new URLSearchParams(lists.next().value);
    query.delete("sort");
    query.delete("offset");
    const by = GROUPINGS[groupingOf(random)]!;
    if (by !== "") query.set("group_by", by);
    return query.toString().replaceAll("%2C", ",");
  });
}
