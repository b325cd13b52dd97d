import { recordMeasurement, type Sample } from "../load/sample.ts";
import { writeOf } from "../data/documents.ts";
import type { World } from "../data/world.ts";
import type { Api } from "../environment/api.ts";
import type { Indexer } from "../environment/indexer.ts";
import { write } from "./steadily.ts";
import { untilShown } from "./until-shown.ts";
import { writtenCompanies } from "./written.ts";

/**
 * Records in the sample how long a record takes from the queue until a list of the API shows it: the amount of a round is changed,
 * looked for, and changed back. `nth`: another company each time, of those that nobody else writes.
 */
export async function measureFreshness(
  parts: { world: World; api: Api; indexer: Indexer },
  sample: Sample,
  nth: number,
): Promise<void> {
  const { world, api, indexer } = parts;
  // The last companies of all may have lost rounds to the size of the world.
  const position = writtenCompanies(world) + (nth % Math.max(1, Math.floor(world.companies * 0.05)));
  const round = world.family(position).rounds[0]!;
  // No other round has an amount in cents.
  const marked = 1_000_000 + (Date.now() % 1_000_000) + 0.37;
  const send = (amount: number | null) =>
    write(indexer, [writeOf("round", { ...round, amount_usd: amount }, Date.now())]);

  const before = performance.now();
  await send(marked);
  await untilShown<{ id: string }[]>(api, `/funding?min_amount_usd=${marked}&max_amount_usd=${marked}`, (rows) =>
    rows.some(({ id }) => id === round.id),
  );
  recordMeasurement(sample, performance.now() - before);
  await send(round.amount_usd);
}
