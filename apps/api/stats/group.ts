import type { GroupKey } from "@tranche/read-models/query/groups";

/** The figures of some rows that groups are ordered by: their number, how many have an amount, and the sum of the amounts in cents. */
export type Tally = { count: number; disclosed: number; cents: bigint };

/** The rows with this key. */
export type Group<Details> = Tally & {
  key: GroupKey;
  /** All other figures. Groups that may not be shown have none. */
  details?: Details;
};

/** The groups that a list leaves out, summed up. A row that is in several groups counts in each of them. */
export type Rest = Tally & { groups: number };

export const NOTHING: Readonly<Tally> = Object.freeze({ count: 0, disclosed: 0, cents: 0n });
