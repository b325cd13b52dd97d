import { domainOf } from "@tranche/shared/text/domain";
import { keyOf } from "@tranche/shared/text/key";

/** The key by which an investor, a city or a category is found. */
export const nameKeys = (item: string): [string] => [keyOf(item)];

/** The keys by which a company is found: of a name, slug or alias, and of the domain that a web address names. */
export function companyKeys(item: string): [string, ...string[]] {
  const domain = domainOf(item);
  return domain === null ? nameKeys(item) : [keyOf(item), keyOf(domain)];
}
