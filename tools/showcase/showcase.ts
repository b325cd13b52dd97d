import { INGESTED_KEYS, signalDefinition } from "@tranche/shared/domain/signals/catalogue";
import { keyOf } from "@tranche/shared/domain/text/key";
import { type Day, isoDay } from "@tranche/shared/domain/time/day";
import { createRandom, type Random } from "../bench/data/random.ts";
import { observationsOf, type ShowcaseCompany } from "./companies.ts";
import { roundsOf, type ShowcaseRound } from "./rounds.ts";
import { INVESTOR_KINDS, INVESTORS, PLACES } from "./words.ts";

const COMPANIES = 300;
const SEED = 20_131_031;

type ShowcaseInvestor = {
  type: "investor";
  id: string;
  name: string;
  country: string;
  kind: string;
  aliases: string[];
};
type ShowcaseSignal = { type: "signal"; company_id: string; key: string; detected_at: string; strength: number };
type ShowcaseRecord = ShowcaseCompany | ShowcaseInvestor | ShowcaseRound | ShowcaseSignal;

/**
 * Fictional companies, investors, rounds and signals that show what the product can do: every country has companies, every deal
 * type a round, and every signal of the catalogue is live on `today`. The same records for the same day, on every machine.
 */
export function showcase(today: Day): ShowcaseRecord[] {
  const random = createRandom(SEED);
  const investors = INVESTORS.map((_, number) => investorOf(random, number));
  const investorIds = investors.map((investor) => investor.id);
  const records: ShowcaseRecord[] = [...investors];
  for (let number = 0; number < COMPANIES; number++) {
    const observations = observationsOf(random, number, today);
    const { id } = observations[0]!;
    records.push(...observations, ...roundsOf(random, { id, number }, investorIds, today));
    records.push(...signalsOf(random, { id, number }, today));
  }
  return records;
}

function investorOf(random: Random, number: number): ShowcaseInvestor {
  const [kind, suffix] = INVESTOR_KINDS[number % INVESTOR_KINDS.length]!;
  const name = `${INVESTORS[number]!} ${suffix}`;
  const initials = name.replaceAll(/[^A-Z]/g, "");
  return {
    type: "investor",
    id: `inv-showcase-${keyOf(name)}`,
    name,
    country: random.pick(PLACES)[0],
    kind,
    aliases: [INVESTORS[number]!, `${initials} ${INVESTORS[number]!}`],
  };
}

/** Up to three ingested signals that are live on `today`; their keys take turns, so that each is there several times. */
function signalsOf(random: Random, { id, number }: { id: string; number: number }, today: Day): ShowcaseSignal[] {
  const count = number % 2 === 0 ? 1 + random.below(3) : 0;
  return Array.from({ length: count }, (_, position) => {
    const key = INGESTED_KEYS[(number / 2 + position * 5) % INGESTED_KEYS.length]!;
    const life = signalDefinition(key).lifeDays ?? 90;
    const strength = random.pick([1, 1, 0.8, 0.6]);
    return { type: "signal", company_id: id, key, detected_at: isoDay(today - random.below(life - 1)), strength };
  });
}
