import { INGESTED_KEYS } from "@tranche/shared/domain/signals/catalogue";
import type {
  CompanyRecord,
  InvestorRecord,
  RoundInvestor,
  RoundRecord,
  SignalRecord,
} from "@tranche/shared/domain/records/record";
import { keyOf } from "@tranche/shared/domain/text/key";
import { dayOf, isoDay } from "@tranche/shared/domain/time/day";
import { createRandom, type Random, weighted, zipf } from "./random.ts";
import { CATEGORIES, COUNTRIES, madeUpWord, TECHNOLOGIES } from "./words.ts";

/** The clock of the benchmarks: live signals and due documents depend on it. */
export const NOW = "2025-06-15T12:00:00Z";
const TODAY = dayOf(NOW);
const YEARS = 20;

const ROUNDS_PER_COMPANY = 2.5;
const ROUNDS_PER_INVESTOR = 50;
const UNDISCLOSED = 0.15;
const CITIES_PER_COUNTRY = 30;

/** Raised whenever the same seed gives other records, or they are loaded in another way: data loaded before is loaded anew. */
export const WORLD_VERSION = 3;

/** A company with all that belongs to it. */
export type Family = { company: CompanyRecord; rounds: RoundRecord[]; signals: SignalRecord[] };

/** Records of a made-up world; each is the same for the same size, in whatever order they are asked for. */
export type World = {
  /** Rounds in all. */
  size: number;
  companies: number;
  investors: readonly InvestorRecord[];
  /** Cities of each country of COUNTRIES. */
  cities: readonly (readonly string[])[];
  family(position: number): Family;
  families(): Generator<Family>;
};

const countryOf = zipf(COUNTRIES.length, 0.9);
const cityOf = zipf(CITIES_PER_COUNTRY, 1);
const categoryOf = zipf(CATEGORIES.length, 0.7);
const technologyOf = zipf(TECHNOLOGIES.length, 0.6);
/** 1 to 8 rounds a company, 2.5 on average. */
const MORE_ROUNDS = weighted([34, 26, 17, 10, 6, 4, 2, 1]);
const INVESTORS_OF_ROUND = weighted([8, 26, 24, 18, 12, 7, 5]);
const INGESTED_OF_COMPANY = weighted([70, 20, 7, 3]);

const STAGES = ["pre_seed", "seed", "series_a", "series_b", "series_c", "series_d", "series_e", "series_f"] as const;
/** Typical size of a round of each stage, in US dollars. */
const TYPICAL = [600_000, 2_500_000, 11_000_000, 28_000_000, 55_000_000, 90_000_000, 140_000_000, 200_000_000];
const OTHER_TYPES = [
  ..."angel grant convertible_note debt_financing series_unknown corporate_round private_equity".split(" "),
  ..."equity_crowdfunding bridge venture_debt secondary_market undisclosed".split(" "),
];

/** `size` rounds of size / 2.5 companies, with size / 50 investors of whom few are in most rounds. */
export function createWorld(size: number): World {
  const companies = Math.max(1, Math.round(size / ROUNDS_PER_COMPANY));
  const investors = Array.from({ length: Math.max(100, Math.round(size / ROUNDS_PER_INVESTOR)) }, (_, i) =>
    investorAt(i),
  );
  const cities = COUNTRIES.map((_, i) => {
    const random = createRandom(7_000_000 + i);
    return Array.from({ length: CITIES_PER_COUNTRY }, () => madeUpWord(random));
  });
  const investorOf = zipf(investors.length, 0.8);

  const draw = (position: number, rounds?: number): Family => {
    const random = createRandom(1_000_003 * (position + 1));
    const company = companyAt(random, position, cities);
    const count = 1 + MORE_ROUNDS(random);
    const kept = roundsOf(random, company.id, count, () => investors[investorOf(random)]!.id).slice(0, rounds ?? count);
    return { company, rounds: kept, signals: signalsOf(random, company.id) };
  };

  return {
    size,
    companies,
    investors,
    cities,
    family: (position) => draw(position),
    *families() {
      let left = size;
      // Drawn counts come out at 2.5 on average; the last companies make up for the rest.
      for (let position = 0; position < companies; position++) {
        const family = draw(position, Math.max(0, left));
        left -= family.rounds.length;
        yield family;
      }
      for (let position = companies; left > 0; position++) {
        const family = draw(position, left);
        left -= family.rounds.length;
        yield family;
      }
    },
  };
}

function investorAt(position: number): InvestorRecord {
  const random = createRandom(500_009 * (position + 1));
  const name = `${madeUpWord(random)} ${random.pick(["Capital", "Ventures", "Partners", "Fund"])} ${position}`;
  return {
    id: `inv-${position}`,
    name,
    slug: keyOf(name),
    aliases: random.chance(0.2) ? [`${madeUpWord(random)} ${position}`] : [],
    country: COUNTRIES[countryOf(random)]!,
    kind: random.pick(["venture_capital", "angel", "corporate", null]),
  };
}

function companyAt(random: Random, position: number, cities: readonly (readonly string[])[]): CompanyRecord {
  const name = `${madeUpWord(random)} ${random.pick(["Labs", "Systems", "Health", "Data", "Robotics", "Works"])} ${position}`;
  const slug = keyOf(name);
  const country = countryOf(random);
  const stack = new Set(Array.from({ length: random.below(9) }, () => TECHNOLOGIES[technologyOf(random)]!));
  return {
    // In the order of position: a rebuild goes by id, and what it is compared with in the same order.
    id: `co-${String(position).padStart(7, "0")}`,
    name,
    slug,
    aliases: [],
    country: COUNTRIES[country]!,
    city: cities[country]![cityOf(random)]!,
    category: CATEGORIES[categoryOf(random)]!,
    domain: `${slug}.example`,
    tech_stack: random.chance(0.1) ? null : [...stack],
    headcount: random.chance(0.3) ? null : 1 + random.below(2000),
    founded_year: 2025 - random.below(25),
    observed_at: isoDay(TODAY - random.below(90)),
  };
}

function roundsOf(random: Random, company_id: string, count: number, investor: () => string): RoundRecord[] {
  // More rounds of late than long ago.
  const days = Array.from({ length: count }, () => TODAY - Math.floor(YEARS * 365 * random.share() ** 1.6)).sort(
    (a, b) => a - b,
  );
  let stage = random.below(3);
  return days.map((day, i) => {
    const staged = random.chance(0.75);
    const typical = TYPICAL[Math.min(stage, TYPICAL.length - 1)]!;
    const deal_type = staged ? STAGES[Math.min(stage++, STAGES.length - 1)]! : random.pick(OTHER_TYPES);
    const investors = new Set(Array.from({ length: INVESTORS_OF_ROUND(random) }, investor));
    const id = `rnd-${company_id}-${i}`;
    return {
      id,
      company_id,
      announced_date: isoDay(day),
      deal_type,
      deal_type_label: null,
      amount_usd: random.chance(UNDISCLOSED)
        ? null
        : rounded(typical * Math.exp(2 * random.share() - 1 + (random.share() - 0.5))),
      investors: [...investors].map((investor_id, nth): RoundInvestor => ({
        investor_id,
        is_lead: nth === 0 && day % 5 !== 0,
      })),
      source_url: random.chance(0.5) ? `https://news.example/${id}` : null,
    };
  });
}

/** As announcements have them, with many ties: two digits, now and then four. */
function rounded(dollars: number): number {
  const digits = Math.round(dollars) % 7 === 0 ? 4 : 2;
  const step = 10 ** (Math.floor(Math.log10(dollars)) + 1 - digits);
  return Math.round(dollars / step) * step;
}

function signalsOf(random: Random, company_id: string): SignalRecord[] {
  const count = INGESTED_OF_COMPANY(random);
  return Array.from({ length: count }, (_, i): SignalRecord => {
    const key = random.pick(INGESTED_KEYS);
    const detected_at = isoDay(TODAY - random.below(200));
    return {
      id: `sig-${company_id}-${i}`,
      company_id,
      key,
      detected_at,
      expires_at: null,
      strength: random.pick([0.25, 0.5, 0.75, 1]),
      evidence_url: null,
    };
  });
}
