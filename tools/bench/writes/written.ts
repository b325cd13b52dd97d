import type { RecordWrite, RoundRecord } from "@tranche/shared/domain/records/record";
import { dayOf, isoDay } from "@tranche/shared/domain/time/day";
import { createRandom } from "../data/random.ts";
import { writesOf } from "../data/documents.ts";
import { type Family, NOW, type World } from "../data/world.ts";

/** Companies that are written again; those after them are left for benchmarks that wait for a change of their own. */
export const writtenCompanies = (world: World): number => Math.max(1, Math.floor(world.companies * 0.9));

/**
 * Writes of existing records, as they are stored, with newer versions: each is stored and derived afresh, but the data
 * set stays what it was. All of one company come together, as a source sends them; companies come in any order.
 */
export function* writtenAgain(world: World, seed: number): Generator<RecordWrite, never> {
  const nextFamily = familiesOf(world, seed);
  for (;;) yield* writesOf(nextFamily(), Date.now());
}

/** Companies between a change and its reversal. */
const CHANGED_AT_ONCE = 100;

/**
 * As `writtenAgain`, but of each company first the amounts are tripled and, some companies later, reverted: each write of a round
 * with an amount changes where lists have it, and whether they do. The data set is what it was once `changed`, the families whose
 * change was not reverted yet, are written as they are.
 */
export function* writtenChanged(world: World, seed: number, changed: Family[]): Generator<RecordWrite, never> {
  const nextFamily = familiesOf(world, seed);
  for (;;) {
    const family = nextFamily();
    changed.push(family);
    yield* writesOf({ ...family, rounds: family.rounds.map(tripled) }, Date.now());
    if (changed.length > CHANGED_AT_ONCE) yield* writesOf(changed.shift()!, Date.now());
  }
}

/**
 * New companies, with rounds of today: they come first in lists of rounds. `added` gets their families, which are
 * to be removed by `removalsOf`, so that the data set is what it was and the same ones can come again.
 */
export function* writtenNew(world: World, added: Family[]): Generator<RecordWrite, never> {
  const today = isoDay(dayOf(NOW));
  // Whatever the size, no company of the world has such a position.
  for (let position = 2 * world.companies; ; position++) {
    const { rounds, ...others } = world.family(position);
    const family = { ...others, rounds: rounds.map((round) => ({ ...round, announced_date: today })) };
    added.push(family);
    yield* writesOf(family, Date.now());
  }
}

const tripled = (round: RoundRecord): RoundRecord => ({
  ...round,
  amount_usd: round.amount_usd === null ? null : 3 * round.amount_usd,
});

function familiesOf(world: World, seed: number): () => Family {
  const random = createRandom(seed);
  return () => world.family(random.below(writtenCompanies(world)));
}
