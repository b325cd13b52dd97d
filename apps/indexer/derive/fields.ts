import type { CompanySummary } from "@tranche/read-models/documents/funding";
import { type Names, namePrefixes } from "@tranche/read-models/documents/names";
import type { StoredRecord } from "@tranche/shared/domain/records/stored";
import { domainOf } from "@tranche/shared/domain/text/domain";
import { keyOf } from "@tranche/shared/domain/text/key";
import { spelledKeys, withAnd } from "@tranche/shared/domain/text/spellings";

/** The company as rows of both read models show it. */
export function companySummary(company: StoredRecord<"company">): CompanySummary {
  const { id, name, slug, country, city, category } = company.body!;
  return { id, name, slug, country, city, category };
}

/** The keys by which names are found, each once; names without a letter or digit have none. */
export function keysOf(names: readonly string[]): string[] {
  return [...new Set(names.flatMap(spelledKeys))].filter((key) => key !== "");
}

/** The fields of a company's or an investor's name, and of its aliases. A name without a letter or digit has no key. */
export function nameFields(name: string, aliases: readonly string[]): Names & { name_head: string | null } {
  const name_key = keyOrNull(name);
  return {
    name_key,
    // With `and` for `&`, a name has the words of both spellings.
    name_prefixes: namePrefixes([name, ...aliases].map(withAnd)),
    name_head: name_key && nameHead(name_key),
  };
}

/** A company is in many rounds, so its keys are made once per record. */
const COMPANY_KEYS = new WeakMap<StoredRecord<"company">, string[]>();

/** The keys that find a company: of its name, slug, aliases and domain, as it is written and without scheme, `www.` and path. */
export function companyKeys(company: StoredRecord<"company">): string[] {
  const known = COMPANY_KEYS.get(company);
  if (known) return known;
  const { name, slug, aliases, domain } = company.body!;
  const ofDomain = domain === null ? [] : [keyOf(domain), keyOf(domainOf(domain) ?? domain)];
  const keys = [...new Set([...keysOf([name, slug, ...aliases]), ...ofDomain])].filter((key) => key !== "");
  COMPANY_KEYS.set(company, keys);
  return keys;
}

/** The key of an open value (city, category), or null when there is none. */
export function keyOrNull(text: string | null): string | null {
  return (text && keyOf(text)) || null;
}

/** The latest `updated_at` of the records, or an empty text when there are none. */
export function newest(records: readonly { updated_at: string }[]): string {
  return records.reduce((latest, record) => (record.updated_at > latest ? record.updated_at : latest), "");
}

const NAME_HEAD_LENGTH = 3;

/** The first characters of a name's key, by which paging counts names. */
function nameHead(nameKey: string): string {
  return Array.from(nameKey).slice(0, NAME_HEAD_LENGTH).join("");
}
