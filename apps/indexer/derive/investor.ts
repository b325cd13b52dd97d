import type { InvestorDocument, InvestorRow, RoundsOf } from "@tranche/read-models/documents/investors";
import { rowText } from "@tranche/read-models/documents/row-text";
import type { StoredRecord } from "@tranche/shared/domain/records/stored";
import { keyOf } from "@tranche/shared/domain/text/key";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import type { InvestorFigures } from "../read/investor-figures.ts";
import { keyOrNull, keysOf, nameFields } from "./fields.ts";

/** The figures of an investor without rounds. */
export const NO_ROUNDS: InvestorFigures = {
  rounds: 0,
  leads: 0,
  companies: 0,
  days: [],
  categories: [],
  countries: [],
  dealTypes: [],
};

const TOP = 5;

/** The investors document of an investor, from its record and the figures of its rounds. */
export function investorDocument(record: StoredRecord<"investor">, figures: InvestorFigures): InvestorDocument {
  const { id, name, slug, aliases, country, kind } = record.body!;
  const days = figures.days.toSorted(byCodePoint);
  const row: InvestorRow = {
    id,
    name,
    slug,
    aliases,
    country,
    kind,
    round_count: figures.rounds,
    lead_count: figures.leads,
    company_count: figures.companies,
    first_round_date: days[0] ?? null,
    latest_round_date: days.at(-1) ?? null,
    top_categories: top(figures.categories),
    top_countries: top(figures.countries),
    top_deal_types: top(figures.dealTypes),
  };
  return {
    listed: true,
    investor_id: id,
    slug: keyOf(slug),
    ...nameFields(name, aliases),
    investor_keys: keysOf([name, slug, ...aliases]),
    country,
    kind_key: keyOrNull(kind),
    round_count: row.round_count,
    lead_count: row.lead_count,
    company_count: row.company_count,
    first_round_date: row.first_round_date,
    latest_round_date: row.latest_round_date,
    round_dates: days,
    category_keys: keysIn(figures.categories),
    deal_types: keysIn(figures.dealTypes),
    row: rowText(row),
  };
}

const top = (counts: readonly RoundsOf[]): RoundsOf[] =>
  counts.toSorted((a, b) => b.count - a.count || byCodePoint(a.key, b.key)).slice(0, TOP);

const keysIn = (counts: readonly RoundsOf[]): string[] => counts.map(({ key }) => key).toSorted(byCodePoint);
