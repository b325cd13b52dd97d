import type { Field, ListName } from "../../../apps/dashboard/explore/list-fields.ts";

/** The lists, as people call them. */
export const LIST_NAMES: Readonly<Record<ListName, string>> = {
  funding: "Funding rounds",
  signals: "Signals",
  companies: "Companies",
  investors: "Investors",
};

/**
 * The filters in their order, each with the parameters that it is made of and their labels. A parameter that is in no filter is one
 * of its own, at the end, under its own name.
 */
const FILTERS: readonly (readonly [name: string, fields: Readonly<Record<string, string>>])[] = [
  ["Name", { q: "Name" }],
  ["Signals", { signal: "Signals", signal_match: "Match", detected_since: "Detected since" }],
  ["Score", { min_signal_score: "Lowest score" }],
  ["Countries", { country: "Countries" }],
  ["Deal types", { deal_types: "Deal types" }],
  ["Latest deal type", { deal_type: "Deal types of the latest round" }],
  ["Announced", { from: "Announced from", to: "Announced until" }],
  ["Amount", { min_amount_usd: "Lowest amount", max_amount_usd: "Highest amount", disclosed: "Disclosed" }],
  ["Investors", { investors: "Investors", investors_match: "Match" }],
  ["Lead investors", { lead_investors: "Lead investors" }],
  ["Companies", { companies: "Companies" }],
  ["Categories", { category: "Categories" }],
  ["Cities", { city: "Cities" }],
  ["Technologies", { tech_stack: "Technologies", tech_match: "Match" }],
  ["Total raised", { min_total_raised_usd: "Lowest total raised", max_total_raised_usd: "Highest total raised" }],
  ["Rounds", { min_round_count: "Fewest rounds" }],
  ["Headcount", { min_headcount: "Fewest people", max_headcount: "Most people" }],
  ["Founded", { min_founded_year: "Founded from", max_founded_year: "Founded until" }],
  ["Kind", { kind: "Kind of investor" }],
];
/** Parameters that are no filters. */
const OTHERS: Readonly<Record<string, string>> = { sort: "Order", limit: "Rows per page" };
/** Parameters that say which part of the result is shown, and how. */
const UNSHOWN = new Set(["sort", "limit", "cursor", "offset", "fields", "format", "text"]);

const LABELS: Readonly<Record<string, string>> = Object.assign({}, OTHERS, ...FILTERS.map(([, fields]) => fields));

/** The label of a parameter; its name where it has none. */
export const labelOfParameter = (name: string): string => LABELS[name] ?? name;

/** A text of the API with labels in the place of parameters' names, `'min_amount_usd'` as well as `min_amount_usd`. */
export const withLabels = (text: string): string =>
  text.replace(/'([a-z_]+)'|\b[a-z]+(?:_[a-z]+)+\b/g, (found, quoted: string | undefined) => {
    const label = LABELS[quoted ?? found];
    return label === undefined ? found : `“${label}”`;
  });

/** A filter of a list: what people call it, and its fields. */
export type Filter = { name: string; fields: readonly Field[] };

/** The filters of a list, made of its parameters. */
export function filtersOfList(fields: readonly Field[]): Filter[] {
  const shown = fields.filter(({ name }) => !UNSHOWN.has(name));
  const named = FILTERS.map(([name, labels]) => ({
    name,
    fields: Object.keys(labels).flatMap((parameter) => shown.filter((field) => field.name === parameter)),
  }));
  const others = shown.filter(({ name }) => LABELS[name] === undefined);
  return [...named, ...others.map((field) => ({ name: field.name, fields: [field] }))].filter(
    ({ fields: own }) => own.length > 0,
  );
}

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
