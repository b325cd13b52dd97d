import { DEAL_TYPES } from "@tranche/shared/domain/vocabulary/deal-types";
import { isoDay, type Day } from "@tranche/shared/domain/time/day";
import type { Random } from "../bench/data/random.ts";

const STAGES = ["pre_seed", "seed", "series_a", "series_b", "series_c", "series_d", "series_e", "growth_equity"];
const DAYS_SHOWN = 3 * 365;

/** The typical amount of rounds of a type, in US dollars; others bring about as much as a series A. */
const TYPICAL_USD: Readonly<Record<string, number>> = {
  pre_seed: 300_000,
  seed: 1_200_000,
  angel: 400_000,
  series_a: 7_000_000,
  series_b: 18_000_000,
  series_c: 40_000_000,
  series_d: 70_000_000,
  series_e: 110_000_000,
  growth_equity: 150_000_000,
  private_equity: 200_000_000,
  grant: 500_000,
  venture_debt: 3_000_000,
  convertible_note: 800_000,
  equity_crowdfunding: 600_000,
  product_crowdfunding: 250_000,
  non_equity_assistance: 50_000,
};

export type ShowcaseRound = {
  type: "round";
  id: string;
  company_id: string;
  announced_date: string;
  deal_type: string;
  amount_usd: number | null;
  investors: { investor_id: string; is_lead?: true }[];
};

/**
 * The rounds of a company, oldest first: one stage after the other, within three years before `today`. The newest is of a type
 * that goes round with the company's number, so that every deal type is the newest of some company.
 */
export function roundsOf(
  random: Random,
  company: { id: string; number: number },
  investorIds: readonly string[],
  today: Day,
): ShowcaseRound[] {
  const newest = today - newestAge(random);
  const count = Math.min(1 + random.below(4), 1 + Math.floor((newest - (today - DAYS_SHOWN)) / 120));
  const days = [newest];
  while (days.length < count) days.unshift(days[0]! - 120 - random.below(200));
  const within = days.filter((day) => day > today - DAYS_SHOWN);
  const first = random.below(3);
  const own = investorIds.filter(() => random.chance(0.2));
  return within.map((day, position) => {
    const last = position === within.length - 1;
    const staged = STAGES[Math.min(first + position, STAGES.length - 1)]!;
    const deal_type = last && company.number % 2 === 0 ? DEAL_TYPES[(company.number / 2) % DEAL_TYPES.length]! : staged;
    const announced_date = isoDay(day);
    return {
      type: "round",
      id: `rnd-${company.id}-${announced_date}`,
      company_id: company.id,
      announced_date,
      deal_type,
      amount_usd: random.chance(0.1) ? null : amountOf(random, deal_type),
      investors: investorsOf(random, last && random.chance(0.5) ? investorIds : own.length > 0 ? own : investorIds),
    };
  });
}

/** In days: many are recent, some lie where the next round is due, some in between. */
function newestAge(random: Random): number {
  if (random.chance(0.45)) return 1 + random.below(89);
  return random.chance(0.5) ? 90 + random.below(360) : 450 + random.below(280);
}

/** Half to three times the typical amount, with two significant digits. */
function amountOf(random: Random, dealType: string): number {
  const amount = (TYPICAL_USD[dealType] ?? 7_000_000) * 2 ** (random.share() * 2.6 - 1);
  const unit = 10 ** (Math.floor(Math.log10(amount)) - 1);
  return Math.round(amount / unit) * unit;
}

/** One lead and up to four others. */
function investorsOf(random: Random, ids: readonly string[]): ShowcaseRound["investors"] {
  const lead = random.pick(ids);
  const others = new Set(Array.from({ length: random.below(5) }, () => random.pick(ids)));
  others.delete(lead);
  return [{ investor_id: lead, is_lead: true }, ...[...others].map((investor_id) => ({ investor_id }))];
}
