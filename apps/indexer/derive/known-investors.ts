import type { FundingRow } from "@tranche/read-models/documents/funding";
import type { StoredRecord } from "@tranche/shared/domain/records/stored";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import { keysOf } from "./fields.ts";

/** An investor of a round whose record is stored. */
export type KnownInvestor = { record: StoredRecord<"investor">; is_lead: boolean };

type Investors = Map<string, StoredRecord<"investor">>;

/** The round's own document and its company's document need the same investors, so each round record is resolved once. */
const KNOWN = new WeakMap<StoredRecord<"round">, { investors: Investors; known: readonly KnownInvestor[] }>();

/** The investors of a round that are stored, leads first, then by name. The others appear once they are ingested. */
export function knownInvestors(round: StoredRecord<"round">, investors: Investors): readonly KnownInvestor[] {
  const before = KNOWN.get(round);
  if (before?.investors === investors) return before.known;
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
  KNOWN.set(round, { investors, known });
  return known;
}

/** The investor as a funding row shows it. */
export function investorRow({ record, is_lead }: KnownInvestor): FundingRow["investors"][number] {
  const { id, name, slug } = record.body!;
  return { id, name, slug, is_lead };
}

/** An investor is in many rounds, so its keys are made once per record. */
const KEYS = new WeakMap<StoredRecord<"investor">, string[]>();

/** The keys that find an investor: of its name, its slug and its aliases. */
function keysOfInvestor(record: StoredRecord<"investor">): string[] {
  const known = KEYS.get(record);
  if (known) return known;
  const { name, slug, aliases } = record.body!;
  const keys = keysOf([name, slug, ...aliases]);
  KEYS.set(record, keys);
  return keys;
}

/** The keys and the ids that find any of these investors. */
export function investorFields(investors: readonly KnownInvestor[]): { keys: string[]; ids: string[] } {
  const records = [...new Set(investors.map(({ record }) => record))];
  return { keys: [...new Set(records.flatMap(keysOfInvestor))], ids: records.map(({ id }) => id) };
}
