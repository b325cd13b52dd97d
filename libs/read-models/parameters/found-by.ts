import { domainOf } from "@tranche/shared/text/domain";
import { keyOf } from "@tranche/shared/text/key";

/** The key by which an investor, a city or a category is found. */
export const nameKeys = (item: string): [string] => [keyOf(item)];

/** The keys by which a company is found: of a name, slug or alias, and of the domain if the item is a web address. */
export function companyItemKeys(item: string): [string, ...string[]] {
  const [asWritten, ofDomain] = [keyOf(item), keyOf(domainOf(item) ?? item)];
  return asWritten === ofDomain ? [asWritten] : [asWritten, ofDomain];
}
