import { keyOf } from "@tranche/shared/domain/text/key";
import { type Day, isoDay } from "@tranche/shared/domain/time/day";
import { type Random, zipf } from "../bench/data/random.ts";
import { CATEGORIES, ENDINGS, PLACES, STEMS, TECHNOLOGIES } from "./words.ts";

export type ShowcaseCompany = {
  type: "company";
  id: string;
  name: string;
  country: string;
  city: string;
  category: string;
  domain: string;
  tech_stack: string[];
  headcount: number;
  founded_year: number;
  observed_at: string;
};

/** How the headcount of a company changed between two observations; 20 % and more is a signal. */
const GROWTH = [0.6, 0.9, 1, 1.1, 1.4, 2];

/**
 * The observations of the company with this number, oldest first; the last observation is its state today. The first
 * companies go through all countries once.
 */
export function observationsOf(random: Random, number: number, today: Day): ShowcaseCompany[] {
  const [country, ...cities] = PLACES[number < PLACES.length ? number : zipf(PLACES.length)(random)]!;
  const [category, suffix, ...usual] = random.pick(CATEGORIES);
  // Numbers with the same stem differ in the quotient, and so in the ending.
  const [position, round] = [number % STEMS.length, Math.floor(number / STEMS.length)];
  const stem = STEMS[position]! + ENDINGS[(position * 3 + round) % ENDINGS.length]!;
  const name = `${stem} ${suffix}`;
  const stack = [
    ...new Set([...usual, ...Array.from({ length: 1 + random.below(4) }, () => random.pick(TECHNOLOGIES))]),
  ];
  const current: ShowcaseCompany = {
    type: "company",
    id: `co-showcase-${keyOf(name)}`,
    name,
    country,
    city: random.pick(cities),
    category,
    domain: `${keyOf(stem)}.example`,
    tech_stack: stack,
    headcount: 8 + random.below(200),
    founded_year: 2004 + random.below(8),
    observed_at: isoDay(today - 1 - random.below(100)),
  };
  if (random.chance(0.4)) return [current];
  const before = { ...current, observed_at: isoDay(today - 190 - random.below(150)) };
  before.headcount = Math.max(3, Math.round(current.headcount / random.pick(GROWTH)));
  before.tech_stack = earlierStack(random, stack);
  return [before, current];
}

/** The same, without the newest technology or with an older one that has gone since. */
function earlierStack(random: Random, stack: readonly string[]): string[] {
  if (random.chance(0.4)) return [...stack];
  return random.chance(0.5) ? stack.slice(0, -1) : [...stack, random.pick(["Perl", "jQuery", "Subversion", "Hadoop"])];
}
