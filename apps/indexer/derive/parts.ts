import type { CompanySummary, FundingRow } from "@tranche/read-models/documents/funding";
import type { StoredRecord } from "@tranche/shared/records/stored";
import { keyOf } from "@tranche/shared/text/key";
import { byCodePoint } from "@tranche/shared/text/order";

/** Pieces that documents of both read models are made of. */

export function companySummary(company: StoredRecord<"company">): CompanySummary {
  const { id, name, slug, country, city, category } = company.body!;
  return { id, name, slug, country, city, category };
}

export type KnownInvestor = { record: StoredRecord<"investor">; is_lead: boolean };

type Investors = Map<string, StoredRecord<"investor">>;

/** A round's own document and that of its company ask for the same: they are looked up once for as long as its record is at hand. */
const KNOWN = new WeakMap<StoredRecord<"round">, { among: Investors; known: readonly KnownInvestor[] }>();

/** The investors of a round that are known, leads first, then by name; the others wait until they arrive. */
export function knownInvestors(round: StoredRecord<"round">, investors: Investors): readonly KnownInvestor[] {
  const before = KNOWN.get(round);
  if (before?.among === investors) return before.known;
  const known: KnownInvestor[] = [];
  for (const { investor_id, is_lead } of round.body!.investors) {
    const record = investors.get(investor_id);
    if (record) known.push({ record, is_lead });
  }
  known.sort(
    (a, b) =>
      Number(b.is_lead) - Number(a.is_lead) ||
      byCodePoint(a.record.body!.name, b.record.body!.name) ||
      byCodePoint(a.record.id, b.record.id),
  );
  KNOWN.set(round, { among: investors, known });
  return known;
}

export function investorRow({ record, is_lead }: KnownInvestor): FundingRow["investors"][number] {
  const { id, name, slug } = record.body!;
  return { id, name, slug, is_lead };
}

/** An investor is in many rounds: its keys are made once for as long as its record is at hand. */
const KEYS = new WeakMap<StoredRecord<"investor">, string[]>();

/** Keys by which an investor is found: of its name, its slug and its aliases. */
export function investorKeys({ record }: KnownInvestor): string[] {
  const known = KEYS.get(record);
  if (known) return known;
  const { name, slug, aliases } = record.body!;
  const keys = [name, slug, ...aliases].map(keyOf).filter((key) => key !== "");
  KEYS.set(record, keys);
  return keys;
}

/** The key of an open value (city, category), or null when there is none. */
export function keyOrNull(text: string | null): string | null {
  return (text && keyOf(text)) || null;
}

/** When the newest of the records was written. */
export function newest(records: readonly { updated_at: string }[]): string {
  return records.reduce((latest, record) => (record.updated_at > latest ? record.updated_at : latest), "");
}
