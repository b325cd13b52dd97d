import { domainOf } from "@tranche/shared/domain/text/domain";
import { keyOf } from "@tranche/shared/domain/text/key";
import { keyForms, soughtKeys } from "@tranche/shared/domain/text/spellings";

type Keys = [string, ...string[]];

/** The keys by which a city, a category or another value is found. */
export const valueKeys = (item: string): Keys => keyForms(keyOf(item));

/** The keys by which an investor is found: of a name, slug or alias, whether it is written with `&` or `and`. */
export const investorItemKeys = soughtKeys;

/** The same of a company, and of the domain if the item is a web address. */
export function companyItemKeys(item: string): Keys {
  const domain = domainOf(item);
  const [usual, ...others] = soughtKeys(item);
  return domain === null ? [usual, ...others] : [usual, ...others, keyOf(domain)];
}
