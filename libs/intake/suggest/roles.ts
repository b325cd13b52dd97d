/** The possible meanings of a column, in the order in which they are decided. */
export const MEANINGS = {
  laid_off: "the people who were laid off",
  acquirer: "the company that acquires",
  job: "an open position",
  company: "the name of the company",
  company_slug: "the permalink of the company",
  founded_year: "the year in which the company was founded",
  headcount: "the headcount of the company",
  date: "the day of the round",
  month: "the month or the quarter of the date",
  day: "the day of the month of the date",
  currency: "the currency of the amount",
  unit: "the unit of the amount",
  amount: "the amount of the round",
  deal_type: "the type of the round",
  lead: "the lead investors",
  investor_slug: "the permalink of the investor",
  investors: "the investors",
  country: "the country of the company",
  city: "the city of the company",
  region: "the region of the company",
  category: "the category of the company",
  round_slug: "the id of the round",
  domain: "the domain of the company",
  source: "the source of the round",
} as const;
export type Role = keyof typeof MEANINGS;
export const ROLES = Object.keys(MEANINGS) as Role[];

/** Roles of rounds; without a date there are none. */
export const ROUND_ROLES: ReadonlySet<Role> = new Set([
  "date",
  "month",
  "day",
  "currency",
  "unit",
  "amount",
  "deal_type",
  "lead",
  "investor_slug",
  "investors",
  "round_slug",
  "source",
]);

/** The known facts of a column. */
export type Column = {
  name: string;
  /** The key of its name, with `fundingDate` as two words. */
  key: string;
  /** Replacements that take off the texts what programs left in them. */
  off: readonly [string, string][];
  /** Its texts that say something, without that. */
  texts: string[];
};
