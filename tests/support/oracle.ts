import type { Company, Round, Thing } from "./world.ts";

/** What a caller asks of a list, with things instead of spellings. */
export type Wanted = {
  country?: readonly string[];
  dealTypes?: readonly string[];
  investors?: readonly Thing[];
  from?: string;
  to?: string;
  least?: number;
  most?: number;
  signals?: readonly string[];
  allSignals?: boolean;
  leastScore?: number;
  cities?: readonly Thing[];
  categories?: readonly Thing[];
  technologies?: readonly Thing[];
  allTechnologies?: boolean;
  sort?: string;
};

/** All rounds that are wanted, in order: plain loops over everything. */
export function wantedRounds(rounds: readonly Round[], w: Wanted): string[] {
  const sort = w.sort ?? "announced_date_desc";
  const by = sort.startsWith("amount") ? (round: Round) => round.amount : (round: Round) => round.date;
  const found = ordered(rounds, sort, by).filter((round) => {
    if (w.country && !w.country.some((code) => code === round.country)) return false;
    if (w.dealTypes && !w.dealTypes.some((type) => type === round.type)) return false;
    if (w.investors && !w.investors.some((investor) => round.investors.includes(investor))) return false;
    if (w.from !== undefined && round.date < w.from) return false;
    if (w.to !== undefined && round.date > w.to) return false;
    if (w.least !== undefined && (round.amount === null || round.amount < w.least)) return false;
    return !(w.most !== undefined && (round.amount === null || round.amount > w.most));
  });
  return found.map((round) => round.id);
}

/** All companies that are wanted, in order. */
export function wantedCompanies(companies: readonly Company[], w: Wanted): string[] {
  const sort = w.sort ?? "signal_score_desc";
  const found = ordered(companies, sort, COMPANY_VALUES[sort.replace(/_(asc|desc)$/, "")]!).filter((company) => {
    if (!company.listed) return false;
    if (w.country && !w.country.some((code) => code === company.country)) return false;
    if (w.cities && !w.cities.some((city) => city === company.city)) return false;
    if (w.categories && !w.categories.some((category) => category === company.category)) return false;
    if (w.dealTypes && !w.dealTypes.some((type) => type === company.latest?.type)) return false;
    if (w.leastScore !== undefined && company.score < w.leastScore) return false;
    if (w.signals && !most(w.signals, (key) => company.signals.includes(key), w.allSignals)) return false;
    return (
      !w.technologies ||
      most(w.technologies, (technology) => company.technologies.includes(technology), w.allTechnologies)
    );
  });
  return found.map((company) => company.id);
}

const COMPANY_VALUES: Record<string, (company: Company) => string | number | null> = {
  signal_score: (company) => company.score,
  latest_funding: (company) => company.latest?.date ?? null,
  amount: (company) => company.latest?.amount ?? null,
  name: (company) => company.name.key,
};

function most<T>(items: readonly T[], has: (item: T) => boolean, all = false): boolean {
  return all ? items.every(has) : items.some(has);
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
