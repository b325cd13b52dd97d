import { SIGNAL_KEYS } from "@tranche/shared/domain/signals/catalogue";
import { DEAL_TYPES } from "@tranche/shared/domain/vocabulary/deal-types";

/**
 * Made-up rounds and companies, and with them everything that can be asked of them. Things have several spellings; which
 * spellings are one thing is written here by hand, so that a test does not find out by the code that it tests.
 */

/**
 * One thing and how people write it; the first is how it is stored, `key` is what all spellings are compared by. `also`: the keys of
 * spellings with `and` for `&`.
 */
export type Thing = { key: string; spellings: readonly [string, ...string[]]; also?: readonly string[] };

const thing = (key: string, ...spellings: [string, ...string[]]): Thing => ({ key, spellings });
const numbered = (name: string, count: number): Thing[] =>
  Array.from({ length: count }, (_, n) =>
    thing(`${name.toLowerCase()}-${n}`, `${name} ${n}`, `${name.toUpperCase()}  ${n}`, `${name.toLowerCase()}-${n}`),
  );

export const CITIES: readonly Thing[] = [
  thing("sao-paulo", "São Paulo", "Sao Paulo", "SÃO PAULO", "sao-paulo"),
  thing("zurich", "Zürich", "ZURICH", "zurich"),
  thing("st-johns", "St. John's", "St John’s", "st-johns"),
  thing("washington-d-c", "Washington, D.C.", "washington d c", "Washington -- D.C."),
  thing("strasse", "Straße", "STRASSE", "strasse"),
  thing("北京", "北京"),
  ...numbered("City", 150),
];
export const CATEGORIES: readonly Thing[] = [
  thing("games-video", "games_video", "Games & Video", "games video"),
  thing("ai", "AI", "ai"),
  ...numbered("Category", 12),
];
export const INVESTORS: readonly Thing[] = [
  thing("kleiner-perkins", "Kleiner, Perkins", "kleiner perkins", "KLEINER-PERKINS"),
  thing("the-fund", 'The "Fund"', "the fund", '"The" Fund'),
  thing("500-startups", "500 Startups", "500-startups"),
  thing("a-b-partners", "A+B Partners", "a b partners"),
  thing("societe-generale", "Société Générale", "Societe Generale"),
  thing("σισ-φωσ", "ΣΊΣ Φως", "σις φώς", "ΣΙΣ-ΦΩΣ", "Σίσ Φωσ"),
  { ...thing("kite-sons", "Kite & Sons", "Kite and Sons", "kite-and-sons", "KITE ＆ SONS"), also: ["kite-and-sons"] },
  { ...thing("reed-and-rye", "Reed and Rye", "Reed & Rye", "reed-and-rye", "reed-rye"), also: ["reed-rye"] },
  ...numbered("Investor", 400),
];
export const TECHNOLOGIES: readonly Thing[] = [
  thing("nodejs", "Node.js", "node", "NodeJS"),
  thing("postgresql", "PostgreSQL", "postgres"),
  thing("cplusplus", "C++", "c++"),
  thing("csharp", "C#", "c#"),
  thing("c", "C", "c"),
  thing("go", "Go", "golang"),
  thing("python", "Python", "PYTHON"),
];
/** Other names of companies: aliases and domains. */
export const ALIASES: readonly Thing[] = [
  thing("zoe-example", "zoe.example", "ZOE.example"),
  thing("the-old-name", "-- The Old, Name", "the old name"),
  ...numbered("Alias", 40),
];
export const NAMES: readonly Thing[] = [
  thing("zoes-cafe", "Zoë's Café"),
  thing("北京", "北京"),
  thing("", "!!!"),
  thing("αθηνασ", "Αθήνας"),
  thing("a", "ａ"),
  thing("acme", "Acme"),
  thing("acme-labs", "Acme, Labs"),
  ...numbered("Company", 3000),
];
export const INVESTOR_KINDS: readonly Thing[] = [
  thing("venture", "venture", "Venture"),
  thing("angel-group", "angel_group", "Angel Group", "ANGEL-GROUP"),
  thing("family-office", "Family Office", "family_office"),
];
export const COUNTRIES = ["US", "GB", "DE", "FR", "IN", "BR"] as const;

export type Round = {
  id: string;
  date: string;
  type: string;
  amount: number | null;
  company: { id: string; name: Thing; alias: Thing | null };
  country: string | null;
  city: Thing | null;
  category: Thing | null;
  investors: Thing[];
  /** Those of the investors that led it. */
  leads: Thing[];
};
export type Company = {
  id: string;
  listed: boolean;
  name: Thing;
  alias: Thing | null;
  country: string | null;
  city: Thing | null;
  category: Thing | null;
  latest: { date: string; type: string; amount: number | null } | null;
  /** Of any of its rounds. */
  investors: Thing[];
  totalRaised: number | null;
  rounds: number;
  signals: string[];
  /** The days on which the signals were detected, in the same order. */
  detected: string[];
  score: number;
  technologies: Thing[];
  people: number | null;
  founded: number | null;
};

export type Investor = {
  id: string;
  name: Thing;
  alias: Thing | null;
  country: string | null;
  kind: Thing | null;
  rounds: number;
  leads: number;
  companies: number;
  /** The days of its rounds, and what they and their companies are. */
  days: string[];
  categories: Thing[];
  types: string[];
};

/** Mulberry32: the same numbers, 0 to 1, for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function makeWorld(size: number, seed: number): { rounds: Round[]; companies: Company[] } {
  const random = randomNumbers(seed);
  const below = (n: number) => Math.floor(random() * n);
  /** The first of a list are drawn more often. */
  const pick = <T>(items: readonly T[]): T => items[Math.floor(items.length * random() ** 2)]!;
  const some = <T>(items: readonly T[], most: number): T[] => [
    ...new Set(Array.from({ length: below(most + 1) }, () => pick(items))),
  ];
  const maybe = <T>(share: number, make: () => T): T | null => (random() < share ? make() : null);
  const amount = () =>
    maybe(0.75, () =>
      pick([0, 50_000, 1_000_000, 2_500_000.5, 10_000_000, below(1e9), below(1e6) / 100, 999_999_999_999_999]),
    );
  const date = () =>
    new Date(Date.UTC(2013, 9, 31) - (random() < 0.5 ? below(60) : below(15_000)) * 86_400_000)
      .toISOString()
      .slice(0, 10);
  // Drawn apart from the rest, so that one more field does not change all the others.
  const more = randomNumbers(seed + 1);
  const drawn = <T>(items: readonly T[]): T => items[Math.floor(items.length * more() ** 2)]!;
  const drawnOrNot = <T>(items: readonly T[]): T | null => (more() < 0.7 ? drawn(items) : null);
  const day = () => new Date(Date.UTC(2013, 9, 31) - Math.floor(more() * 200) * 86_400_000).toISOString().slice(0, 10);
  const last = randomNumbers(seed + 2);
  // In UTF-16 the last two are the other way round.
  const id = (kind: string, n: number) => `${kind}-${pick(["", "a", "Z", "_", "～", "😀"])}${(n * 7919) % size}`;

  const rounds = Array.from({ length: size }, (_, n): Round => {
    const round = {
      id: `${id("r", n)}.${n}`,
      date: date(),
      type: pick(DEAL_TYPES),
      amount: amount(),
      country: maybe(0.9, () => pick(COUNTRIES)),
      investors: some(INVESTORS, 4),
    };
    const company = { id: `co-${Math.floor(more() * 300)}`, name: drawn(NAMES), alias: drawnOrNot(ALIASES) };
    const leads = round.investors.filter(() => more() < 0.4);
    return { ...round, company, leads, city: drawnOrNot(CITIES), category: drawnOrNot(CATEGORIES) };
  });
  const companies = Array.from({ length: size }, (_, n): Company => {
    const signals = some(SIGNAL_KEYS, 5);
    return {
      id: `${id("c", n)}.${n}`,
      listed: signals.length > 0,
      name: pick(NAMES),
      country: maybe(0.9, () => pick(COUNTRIES)),
      city: maybe(0.8, () => pick(CITIES)),
      category: maybe(0.8, () => pick(CATEGORIES)),
      latest: maybe(0.8, () => ({ date: date(), type: pick(DEAL_TYPES), amount: amount() })),
      signals,
      score: below(101),
      technologies: some(TECHNOLOGIES, 4),
      alias: drawnOrNot(ALIASES),
      investors: INVESTORS.slice(0, 30).filter(() => more() < 0.05),
      totalRaised: more() < 0.2 ? null : drawn([0, 50_000, 2_500_000.5, 1_000_000, 10_000_000, 999_999_999_999_999]),
      rounds: Math.floor(more() ** 3 * 20),
      detected: signals.map(day),
      people: last() < 0.3 ? null : Math.floor(last() ** 4 * (last() < 0.01 ? 1e9 : 3000)),
      founded: last() < 0.3 ? null : 1990 + Math.floor(last() * 24),
    };
  });
  return { rounds, companies };
}

/** Investors whose figures are drawn, not counted: what is searched is what their documents say. */
export function makeInvestors(count: number, seed: number): Investor[] {
  const random = randomNumbers(seed);
  const below = (n: number) => Math.floor(random() * n);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(items.length * random() ** 2)]!;
  const maybe = <T>(share: number, make: () => T): T | null => (random() < share ? make() : null);
  const some = <T>(most: number, make: () => T): T[] => [...new Set(Array.from({ length: below(most + 1) }, make))];
  const day = () => new Date(Date.UTC(2013, 9, 31) - below(15_000) * 86_400_000).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, n) => ({
    id: `${pick(["", "a", "Z", "_", "～", "😀"])}${(n * 7919) % count}.${n}`,
    name: pick(NAMES),
    alias: maybe(0.5, () => pick(ALIASES)),
    country: maybe(0.8, () => pick(COUNTRIES)),
    kind: maybe(0.8, () => pick(INVESTOR_KINDS)),
    rounds: Math.floor(random() ** 3 * 60),
    leads: Math.floor(random() ** 3 * 10),
    companies: Math.floor(random() ** 3 * 30),
    days: some(8, day).toSorted(),
    categories: some(3, () => pick(CATEGORIES)),
    types: some(4, () => pick(DEAL_TYPES)),
  }));
}
