import type { CompanySummary } from "@tranche/read-models/documents/funding";
import type { StoredRecord } from "@tranche/shared/records/stored";
import { keyOf } from "@tranche/shared/text/key";

/** The company as rows of both read models show it. */
export function companySummary(company: StoredRecord<"company">): CompanySummary {
  const { id, name, slug, country, city, category } = company.body!;
  return { id, name, slug, country, city, category };
}

/** The key of an open value (city, category), or null when there is none. */
export function keyOrNull(text: string | null): string | null {
  return (text && keyOf(text)) || null;
}

/** The latest `updated_at` of the records, or an empty text when there are none. */
export function newest(records: readonly { updated_at: string }[]): string {
  return records.reduce((latest, record) => (record.updated_at > latest ? record.updated_at : latest), "");
}
