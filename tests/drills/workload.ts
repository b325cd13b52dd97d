import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { company, deletion, investor, merging, round } from "../support/writes.ts";
import type { Random } from "./random.ts";

const DEAL_TYPES = ["seed", "series_a", "series_b", "debt_financing", "undisclosed"];
const day = (random: Random) => new Date(Date.UTC(2020, 0, 1 + random.below(1980))).toISOString().slice(0, 10);

/** How many companies and investors there are among `count` records: two or three rounds to a company, as in real life. */
export const among = (count: number) => ({ companies: Math.ceil(count / 4), investors: Math.ceil(count / 8) });

/** `count` first versions of records, in no order. */
export function firstRecords(random: Random, count: number): RecordWrite[] {
  const { companies, investors } = among(count);
  const writes: RecordWrite[] = [];
  for (let n = 0; n < companies; n++) {
    writes.push(company(1, `co-${n}`, { country: random.pick(["US", "DE", "IN"]), city: `City ${random.below(50)}` }));
  }
  for (let n = 0; n < investors; n++) writes.push(investor(1, `inv-${n}`));
  for (let n = 0; writes.length < count; n++) {
    writes.push(randomRound(random, 1, `rnd-${n}`, { companies, investors }));
  }
  return random.shuffled(writes);
}

/** A version of a round; its amount is its version, so that an answer says which one it shows. */
export function randomRound(
  random: Random,
  version: number,
  id: string,
  of: { companies: number; investors: number },
): RecordWrite {
  return round(version, id, `co-${random.below(of.companies)}`, {
    announced_date: day(random),
    deal_type: random.pick(DEAL_TYPES),
    amount_usd: version,
    investors: Array.from({ length: random.below(4) }, (_, n) => ({
      investor_id: `inv-${random.below(of.investors)}`,
      is_lead: n === 0,
    })),
  });
}

/** First versions of all records, then rounds that move, deletes and merges. */
export function historyOf(random: Random, records: number): RecordWrite[] {
  const some = records / 20;
  const isRound = (write: RecordWrite) => write.type === "round";
  const first = firstRecords(random, records);
  const rounds = first.filter(isRound).map(({ id }) => id);
  return [
    ...first,
    ...rounds.slice(0, some).map((id) => randomRound(random, 2, id, among(records))),
    ...rounds.slice(some, 2 * some).map((id) => deletion(3, "round", id)),
    ...Array.from({ length: some }, (_, n) => merging(4, "company", `co-${n}`, { city: "Oslo", headcount: n })),
  ];
}
