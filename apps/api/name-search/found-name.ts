import { type Match, MATCHES } from "@tranche/read-models/query/name-match";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import { NAME_TYPES, type NameType } from "@tranche/read-models/parameters/name-search";

/** A name that was found, as callers see it. */
export type FoundName = {
  type: NameType;
  /** The id of a company or an investor. */
  id: string | null;
  key: string;
  name: string;
  matched: Match;
  country: string | null;
  rounds: number;
  /** How many companies there are of it; null for a company. */
  companies: number | null;
};

/** With the key of its name, by which it is ordered. Names without one come last. */
export type RankedName = { nameKey: string | null; found: FoundName };

/** The best match first; within one kind of match by number of rounds, then name, then id. */
export function byRank({ nameKey: a, found: x }: RankedName, { nameKey: b, found: y }: RankedName): number {
  return (
    MATCHES.indexOf(x.matched) - MATCHES.indexOf(y.matched) ||
    y.rounds - x.rounds ||
    (a === null || b === null ? Number(a === null) - Number(b === null) : byCodePoint(a, b)) ||
    byCodePoint(x.id ?? "", y.id ?? "") ||
    NAME_TYPES.indexOf(x.type) - NAME_TYPES.indexOf(y.type)
  );
}
