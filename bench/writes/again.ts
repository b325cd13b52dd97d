import type { RecordWrite } from "@tranche/shared/records/record";
import { createRandom } from "../data/random.ts";
import { writesOf } from "../data/documents.ts";
import type { World } from "../data/world.ts";

/**
 * Writes of records that are there already, as they are there, with newer versions: each is stored and derived afresh, but the data
 * set stays what it was. All of one company come together, as a source sends them; companies come in any order.
 */
export function* writtenAgain(world: World, seed: number): Generator<RecordWrite, never> {
  const random = createRandom(seed);
  for (;;) {
    // The last companies may have lost rounds to the size of the world.
    const position = random.below(Math.max(1, Math.floor(world.companies * 0.9)));
    yield* writesOf(world.family(position), Date.now());
  }
}
