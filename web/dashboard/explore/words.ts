/** The parameters of the lists in groups, each with its label. Parameters that are not here come last, under their own names. */
export const GROUPS: readonly (readonly [group: string, fields: Readonly<Record<string, string>>])[] = [
  [
    "What",
    {
      q: "Name",
      companies: "Companies",
      category: "Categories",
      tech_stack: "Technologies",
      tech_match: "Technologies needed",
      deal_types: "Deal types",
      deal_type: "Type of the latest round",
      kind: "Kind of investor",
    },
  ],
  [
    "Signals",
    {
      signal: "Signals",
      signal_match: "Signals needed",
      detected_since: "Detected since",
      min_signal_score: "Lowest score",
    },
  ],
  ["Where", { country: "Countries", city: "Cities" }],
  ["Who invested", { investors: "Investors", investors_match: "Investors needed", lead_investors: "Lead investors" }],
  ["When", { from: "Announced from", to: "Announced until" }],
  [
    "How much",
    {
      min_amount_usd: "Lowest amount (US$)",
      max_amount_usd: "Highest amount (US$)",
      disclosed: "Amount",
      min_total_raised_usd: "Lowest total raised (US$)",
      max_total_raised_usd: "Highest total raised (US$)",
      min_round_count: "Fewest rounds",
    },
  ],
  ["Order", { sort: "Sort by", limit: "Rows per page" }],
];

/** Parameters that the form leaves out: the address or the code has them. */
export const UNSHOWN: ReadonlySet<string> = new Set(["cursor", "offset", "fields", "format", "text"]);

const SHOWN_WORDS: Readonly<Record<string, string>> = {
  any: "Any of them",
  all: "All of them",
  announced_date_desc: "Newest first",
  announced_date_asc: "Oldest first",
  latest_funding_desc: "Latest round, newest first",
  latest_funding_asc: "Latest round, oldest first",
  latest_round_desc: "Latest round, newest first",
  pre_seed: "Pre-seed",
  series_c_plus: "Series C+",
  non_equity_assistance: "Non-equity assistance",
  fast_follow_on: "Fast follow-on",
  name_asc: "Name, A to Z",
  name_desc: "Name, Z to A",
};
const INITIALS: Readonly<Record<string, string>> = { ipo: "IPO", ai: "AI", usd: "US$" };

/** A word of the API as people read it: `series_a` is "Series A", `amount_desc` is "Amount, highest first". */
export function shownWord(word: string): string {
  const known = SHOWN_WORDS[word];
  if (known !== undefined) return known;
  const order = /_(asc|desc)$/.exec(word)?.[1];
  const parts = word.replace(/_(?:asc|desc)$/, "").split("_");
  const text = parts
    .map((part, at) => INITIALS[part] ?? (part.length === 1 || at === 0 ? capital(part) : part))
    .join(" ");
  return order === undefined ? text : `${text}, ${order === "desc" ? "highest" : "lowest"} first`;
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
