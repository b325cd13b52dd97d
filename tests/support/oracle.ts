import type { Company, Investor, Round, Thing } from "./world.ts";
import { investorId } from "./world-documents.ts";

/** The items of a list, and those that it excludes. */
export type Chosen<T> = { any: readonly T[]; none: readonly T[] };
/** A company or an investor by one of its names, or by its id. */
export type Named = Thing | { id: string };

/** What a caller asks of a list, with things instead of spellings. */
export type Wanted = {
  country?: Chosen<string>;
  dealTypes?: Chosen<string>;
  companies?: Chosen<Named>;
  investors?: Chosen<Named>;
  allInvestors?: boolean;
  leads?: Chosen<Named>;
  disclosed?: boolean;
  from?: string;
  to?: string;
  least?: number;
  most?: number;
  signals?: Chosen<string>;
  allSignals?: boolean;
  detectedSince?: string;
  leastScore?: number;
  leastTotal?: number;
  mostTotal?: number;
  leastRounds?: number;
  fewestPeople?: number;
  mostPeople?: number;
  firstYear?: number;
  lastYear?: number;
  cities?: Chosen<Thing>;
  categories?: Chosen<Thing>;
  kinds?: Chosen<Thing>;
  technologies?: Chosen<Thing>;
  allTechnologies?: boolean;
  /** Beginnings of words of one name. */
  typed?: readonly string[];
  sort?: string;
};

/** All rounds that are wanted, in order: plain loops over everything. */
export function wantedRounds(rounds: readonly Round[], w: Wanted): string[] {
  const sort = w.sort ?? "announced_date_desc";
  const by = sort.startsWith("amount") ? (round: Round) => round.amount : (round: Round) => round.date;
  const found = ordered(rounds, sort, by).filter((round) => {
    if (!fits(w.country, (code) => code === round.country)) return false;
    if (!fits(w.cities, (city) => city === round.city)) return false;
    if (!fits(w.categories, (category) => category === round.category)) return false;
    if (!fits(w.dealTypes, (type) => type === round.type)) return false;
    if (!fits(w.companies, (company) => isCompany(round.company, company))) return false;
    if (!fits(w.investors, (investor) => isAmong(round.investors, investor), w.allInvestors)) return false;
    if (!fits(w.leads, (investor) => isAmong(round.leads, investor))) return false;
    if (w.disclosed !== undefined && (round.amount !== null) !== w.disclosed) return false;
    if (w.from !== undefined && round.date < w.from) return false;
    if (w.to !== undefined && round.date > w.to) return false;
    if (w.least !== undefined && (round.amount === null || round.amount < w.least)) return false;
    return !(w.most !== undefined && (round.amount === null || round.amount > w.most));
  });
  return found.map((round) => round.id);
}

/** All companies with live signals that are wanted, in the order of the signals list. */
export const wantedSignals = (companies: readonly Company[], w: Wanted): string[] =>
  companiesInOrder(companies, w, w.sort ?? "signal_score_desc").flatMap(({ id, listed }) => (listed ? [id] : []));

/** All companies that are wanted, in order. */
export const wantedCompanies = (companies: readonly Company[], w: Wanted): string[] =>
  companiesInOrder(companies, w, w.sort ?? "name_asc").map(({ id }) => id);

/** All investors that are wanted, in order. */
export function wantedInvestors(investors: readonly Investor[], w: Wanted): string[] {
  const sort = w.sort ?? "round_count_desc";
  const found = ordered(investors, sort, INVESTOR_VALUES[sort.replace(/_(asc|desc)$/, "")]!).filter((investor) => {
    if (!fits(w.country, (code) => code === investor.country)) return false;
    if (!fits(w.kinds, (kind) => kind === investor.kind)) return false;
    if (!fits(w.categories, (category) => investor.categories.includes(category))) return false;
    if (!fits(w.dealTypes, (type) => investor.types.includes(type))) return false;
    if (w.leastRounds !== undefined && investor.rounds < w.leastRounds) return false;
    if (w.typed && !isTyped(investor, w.typed)) return false;
    // One and the same round is within both days.
    const { from = "", to = "~" } = w;
    return (w.from === undefined && w.to === undefined) || investor.days.some((day) => day >= from && day <= to);
  });
  return found.map(({ id }) => id);
}

const INVESTOR_VALUES: Record<string, (investor: Investor) => string | number | null> = {
  round_count: (investor) => investor.rounds,
  lead_count: (investor) => investor.leads,
  company_count: (investor) => investor.companies,
  latest_round: (investor) => investor.days.at(-1) ?? null,
  name: (investor) => investor.name.key || null,
};

function companiesInOrder(companies: readonly Company[], w: Wanted, sort: string): Company[] {
  return ordered(companies, sort, COMPANY_VALUES[sort.replace(/_(asc|desc)$/, "")]!).filter((company) => {
    const { latest, totalRaised: total } = company;
    if (!fits(w.country, (code) => code === company.country)) return false;
    if (!fits(w.cities, (city) => city === company.city)) return false;
    if (!fits(w.categories, (category) => category === company.category)) return false;
    if (!fits(w.dealTypes, (type) => type === latest?.type)) return false;
    if (!fits(w.companies, (named) => isCompany(company, named))) return false;
    if (!fits(w.investors, (investor) => isAmong(company.investors, investor), w.allInvestors)) return false;
    if (w.from !== undefined && (!latest || latest.date < w.from)) return false;
    if (w.to !== undefined && (!latest || latest.date > w.to)) return false;
    if (w.least !== undefined && (latest?.amount ?? -1) < w.least) return false;
    if (w.most !== undefined && (latest?.amount ?? Infinity) > w.most) return false;
    if (w.leastTotal !== undefined && (total === null || total < w.leastTotal)) return false;
    if (w.mostTotal !== undefined && (total === null || total > w.mostTotal)) return false;
    if (w.leastRounds !== undefined && company.rounds < w.leastRounds) return false;
    if (w.fewestPeople !== undefined && (company.people === null || company.people < w.fewestPeople)) return false;
    if (w.mostPeople !== undefined && (company.people === null || company.people > w.mostPeople)) return false;
    if (w.firstYear !== undefined && (company.founded === null || company.founded < w.firstYear)) return false;
    if (w.lastYear !== undefined && (company.founded === null || company.founded > w.lastYear)) return false;
    if (w.typed && !isTyped(company, w.typed)) return false;
    if (w.leastScore !== undefined && company.score < w.leastScore) return false;
    if (!fits(w.signals, (key) => company.signals.includes(key), w.allSignals)) return false;
    if (w.detectedSince !== undefined && !detectedSince(company, w.detectedSince, w)) return false;
    return fits(w.technologies, (technology) => company.technologies.includes(technology), w.allTechnologies);
  });
}

const COMPANY_VALUES: Record<string, (company: Company) => string | number | null> = {
  signal_score: (company) => company.score,
  latest_funding: (company) => company.latest?.date ?? null,
  amount: (company) => company.latest?.amount ?? null,
  name: (company) => company.name.key || null,
  total_raised: (company) => company.totalRaised,
  round_count: (company) => company.rounds,
  headcount: (company) => company.people,
};

/** Whether any or all of the plain items are there, if there are some, and none of the excluded ones. */
function fits<T>(chosen: Chosen<T> | undefined, has: (item: T) => boolean, all = false): boolean {
  if (!chosen) return true;
  const { any: plain, none } = chosen;
  return !none.some(has) && (plain.length === 0 || (all ? plain.every(has) : plain.some(has)));
}

function isCompany(company: { id: string; name: Thing; alias: Thing | null }, named: Named): boolean {
  return "id" in named ? named.id === company.id : named === company.name || named === company.alias;
}

/** Whether the typed words begin words of one of its names. */
const isTyped = ({ name, alias }: { name: Thing; alias: Thing | null }, typed: readonly string[]): boolean =>
  [name, alias].some((each) => each && beginAnother(typed, wordsIn(each)));

const wordsIn = ({ key }: Thing): string[] => key.split("-");

/** Whether each of these begins another one of the words, tried in every way. */
function beginAnother(typed: readonly string[], words: readonly string[]): boolean {
  const [first, ...others] = typed;
  if (first === undefined) return true;
  return words.some((word, i) => word.startsWith(first) && beginAnother(others, words.toSpliced(i, 1)));
}

function isAmong(investors: readonly Thing[], named: Named): boolean {
  return investors.some((investor) => ("id" in named ? named.id === investorId(investor) : named === investor));
}

function detectedSince({ signals, detected }: Company, day: string, w: Wanted): boolean {
  const isRecent = (key: string) => detected[signals.indexOf(key)]! >= day;
  const asked = w.signals?.any ?? [];
  if (asked.length === 0) return signals.some(isRecent);
  const has = (key: string) => signals.includes(key) && isRecent(key);
  return w.allSignals ? asked.every(has) : asked.some(has);
}

/** All rows in an order; each order is made once. */
const orders = new WeakMap<readonly object[], Map<string, readonly unknown[]>>();

function ordered<T extends { id: string }>(
  rows: readonly T[],
  sort: string,
  value: (row: T) => string | number | null,
): readonly T[] {
  const made = orders.get(rows) ?? new Map<string, readonly unknown[]>();
  orders.set(rows, made);
  if (!made.has(sort)) {
    const sign = sort.endsWith("_desc") ? -1 : 1;
    const compare = (a: T, b: T): number => {
      const [x, y] = [value(a), value(b)];
      if (x === null || y === null) return x === y ? byCodePoint(a.id, b.id) : x === null ? 1 : -1;
      const difference = typeof x === "number" ? x - (y as number) : byCodePoint(x, y as string);
      return sign * difference || byCodePoint(a.id, b.id);
    };
    made.set(sort, rows.toSorted(compare));
  }
  return made.get(sort) as readonly T[];
}

/** UTF-8 bytes are in the order of code points; UTF-16 units are not. */
const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
