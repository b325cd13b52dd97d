import { setTimeout as pause } from "node:timers/promises";
import type { RoundRecord } from "@tranche/shared/records/record";
import { recordMeasurement, type Sample } from "../load/sample.ts";
import { writesOf } from "../data/documents.ts";
import type { World } from "../data/world.ts";
import type { Api } from "../environment/api.ts";
import type { Indexer } from "../environment/indexer.ts";
import { writtenCompanies } from "./written.ts";

const LOOK_EVERY_MS = 10;
const GIVE_UP_MS = 30_000;

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
  const round = writesOf(world.family(position), 0).find((write) => write.type === "round")!;
  const body = round.body as RoundRecord;
  // No other round has an amount in cents.
  const marked = 1_000_000 + (Date.now() % 1_000_000) + 0.37;
  const send = async (amount: number | null) => {
    const enqueuer = indexer.enqueuer();
    const { id, updated_at } = round;
    await enqueuer.add({ type: "round", id, version: Date.now(), updated_at, body: { ...body, amount_usd: amount } });
    await enqueuer.flush();
  };

  const before = performance.now();
  await send(marked);
  const address = `${api.origin}/api/v1/funding?min_amount_usd=${marked}&max_amount_usd=${marked}`;
  for (;;) {
    const answer = await fetch(address, { headers: { authorization: `Bearer ${api.key}` } });
    const { data } = (await answer.json()) as { data?: { id: string }[] };
    if (!data) throw new Error(`${address}: ${answer.status}`);
    if (data.some(({ id }) => id === round.id)) break;
    if (performance.now() - before > GIVE_UP_MS) throw new Error(`${round.id} was not searchable within 30 s`);
    await pause(LOOK_EVERY_MS);
  }
  recordMeasurement(sample, performance.now() - before);
  await send(body.amount_usd);
}
