import { amountBand } from "@tranche/read-models/documents/bands";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import type { Company, Round } from "./world.ts";
import { investorId } from "./world-documents.ts";

/** Statistics by plain loops over rows. */

type Values<Row> = (row: Row) => readonly (string | null)[];
const orNull = (keys: readonly string[]): readonly (string | null)[] => (keys.length > 0 ? keys : [null]);

export const ROUND_VALUES: Readonly<Record<string, Values<Round>>> = {
  country: (round) => [round.country],
  city: (round) => [round.city?.key ?? null],
  category: (round) => [round.category?.key ?? null],
  deal_type: (round) => [round.type],
  investor: (round) => orNull(round.investors.map(investorId)),
  lead_investor: (round) => orNull(round.leads.map(investorId)),
  company: (round) => [round.company.id],
  year: (round) => [round.date.slice(0, 4)],
  quarter: (round) => [`${round.date.slice(0, 4)}-Q${Math.ceil(Number(round.date.slice(5, 7)) / 3)}`],
  month: (round) => [round.date.slice(0, 7)],
  amount_band: (round) => [amountBand(round.amount)],
};

export const COMPANY_VALUES: Readonly<Record<string, Values<Company>>> = {
  signal: (company) => orNull(company.signals),
  country: (company) => [company.country],
  city: (company) => [company.city?.key ?? null],
  category: (company) => [company.category?.key ?? null],
  technology: (company) => orNull(company.technologies.map((technology) => technology.key)),
  deal_type: (company) => [company.latest?.type ?? null],
  score_band: (company) => [company.score === 100 ? "90" : String(10 * Math.floor(company.score / 10))],
};

const BANDS = "under_100k 100k_1m 1m_5m 5m_10m 10m_50m 50m_100m 100m_500m over_500m".split(" ");

export type WantedGroup<Row> = { key: (string | null)[]; rows: Row[] };

/** The groups of rows by some dimensions. */
export function grouped<Row>(
  rows: readonly Row[],
  values: Readonly<Record<string, Values<Row>>>,
  by: readonly string[],
): WantedGroup<Row>[] {
  const groups = new Map<string, WantedGroup<Row>>();
  for (const row of rows) {
    let keys: (string | null)[][] = [[]];
    for (const dimension of by) keys = keys.flatMap((key) => values[dimension]!(row).map((value) => [...key, value]));
    for (const key of keys) {
      const group = groups.get(JSON.stringify(key)) ?? { key, rows: [] };
      groups.set(JSON.stringify(key), group);
      group.rows.push(row);
    }
  }
  return [...groups.values()];
}

/** Compares keys as the statistics order them. */
export function byKeys(
  by: readonly string[],
): (a: readonly (string | null)[], b: readonly (string | null)[]) => number {
  return (a, b) => {
    for (const [n, dimension] of by.entries()) {
      const [x, y] = [a[n]!, b[n]!];
      if (x === y) continue;
      if (x === null || y === null) return x === null ? 1 : -1;
      return dimension === "amount_band" ? BANDS.indexOf(x) - BANDS.indexOf(y) : byCodePoint(x, y);
    }
    return 0;
  };
}

/** An amount in cents, which is exact for any size. */
export const centsOf = (dollars: number): bigint => BigInt(dollars.toFixed(2).replace(".", ""));

/** Cents as dollars, as JSON writes them. */
export function dollarsText(cents: bigint): string {
  const text = String(cents).padStart(3, "0");
  return `${text.slice(0, -2)}.${text.slice(-2)}`.replace(/\.?0{1,2}$/, "");
}
