import type { RecordWrite } from "@tranche/shared/records/record";
import { createRandom } from "../data/random.ts";
import { writesOf } from "../data/documents.ts";
import type { World } from "../data/world.ts";

/** Companies that are written again; those after them are left to who looks for a change of his own. */
export const writtenCompanies = (world: World): number => Math.max(1, Math.floor(world.companies * 0.9));

/**
 * Writes of records that are there already, as they are there, with newer versions: each is stored and derived afresh, but the data
 * set stays what it was. All of one company come together, as a source sends them; companies come in any order.
 */
export function* writtenAgain(world: World, seed: number): Generator<RecordWrite, never> {
  const random = createRandom(seed);
  for (;;) {
    const position = random.below(writtenCompanies(world));
    yield* writesOf(world.family(position), Date.now());
  }
}
