import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { FUNDING_DIMENSIONS } from "./dimensions.ts";
import { fundingParameters } from "./funding.ts";
import { investorsParameters } from "./investors.ts";
import type { ParameterTable } from "./parameter.ts";
import { companiesParameters } from "./companies.ts";
import { signalsParameters } from "./signals.ts";
import { statsParameters } from "./stats.ts";

/** The counterpart in this API of a name that other APIs use. */
export type Pointer = {
  /** Parameters that do the same, the best first. */
  use?: readonly string[];
  /** Replaces "Use '…'." for the first of them. */
  how?: string;
  /** The advice where an endpoint has none of them. */
  otherwise?: string;
};

const ONE_RECORD =
  "Single records are at /api/v1/companies/{id or slug}, /api/v1/investors/{id or slug} and /api/v1/funding/{id}.";
const FORMATS =
  "The Accept header chooses the format: lists answer `Accept: text/csv` and `Accept: application/x-ndjson` too. A whole result is at …/export?format=csv.";
const ALL_FIELDS = "Lists and exports take 'fields'; other answers always have all their fields.";

/** Each with its names, separated by blanks, in lower case. */
const POINTERS: readonly (Pointer & { names: string })[] = Object.freeze([
  {
    names: "page page_number page_no pagenumber p",
    use: ["offset"],
    how: "Use 'offset', the number of rows to skip: page 3 of 10 rows each is offset=20.",
  },
  {
    names:
      "starting_after start_after after page_token next_token next_page_token next_page pagetoken next_cursor after_cursor continuation scroll_id",
    use: ["cursor"],
    how: "Use 'cursor' with `pagination.next_cursor` of the page before.",
  },
  {
    names: "ending_before before prev_cursor previous_cursor",
    use: ["offset"],
    how: "Cursors go forward only. Use 'offset' to go back.",
  },
  { names: "skip start start_index from_index", use: ["offset"] },
  {
    names: "per_page perpage page_size pagesize size count top take rows max_results num first",
    use: ["limit"],
  },
  { names: "order order_by orderby ordering sort_by sortby sort_order sort_field", use: ["sort"] },
  {
    names: "direction dir order_dir sort_dir sort_direction asc desc",
    use: ["sort"],
    how: "The direction is part of 'sort', such as sort=amount_desc.",
  },
  {
    names: "q query search term keyword keywords text name_like",
    use: ["q"],
    otherwise: "Names are found by /api/v1/search?q=…, companies also by /api/v1/companies?q=….",
  },
  { names: "name company company_name company_id companies domain website", use: ["companies"], otherwise: ONE_RECORD },
  { names: "id ids slug", otherwise: ONE_RECORD },
  { names: "investor_name investor_id investor_ids backer backers vc", use: ["investors"] },
  { names: "lead leads lead_investor led_by", use: ["lead_investors"] },
  {
    names: "exclude excluding not without except exclude_country exclude_countries exclude_investors",
    otherwise: "To exclude an item of a list, write `!` before it, such as country=!US.",
  },
  { names: "industry industries sector sectors vertical market", use: ["category"] },
  { names: "countries country_code country_codes location nation", use: ["country"] },
  { names: "type types round rounds round_type stage series funding_type", use: ["deal_types", "deal_type"] },
  { names: "amount amount_min min_amount amount_from amount_gte raised_min min_usd", use: ["min_amount_usd"] },
  { names: "amount_max max_amount amount_to amount_lte raised_max max_usd", use: ["max_amount_usd"] },
  { names: "min_total min_total_raised total_raised total_raised_usd total_funding", use: ["min_total_raised_usd"] },
  { names: "max_total max_total_raised", use: ["max_total_raised_usd"] },
  { names: "min_rounds round_count num_rounds", use: ["min_round_count"] },
  {
    names: "employees employee_count employees_min min_employees num_employees headcount company_size team_size",
    use: ["min_headcount"],
  },
  { names: "employees_max max_employees", use: ["max_headcount"] },
  { names: "founded founded_year founded_after founded_since year_founded min_founded", use: ["min_founded_year"] },
  { names: "founded_before founded_until max_founded", use: ["max_founded_year"] },
  { names: "undisclosed has_amount amount_disclosed", use: ["disclosed"] },
  { names: "detected_at detected_after detected_from signal_since new_since", use: ["detected_since"] },
  { names: "date since start_date date_from from_date date_gte announced_after after_date", use: ["from"] },
  { names: "until end_date date_to to_date date_lte announced_before before_date", use: ["to"] },
  { names: "score min_score signal_score", use: ["min_signal_score"] },
  { names: "tech technology technologies stack", use: ["tech_stack"] },
  { names: "event events signal_key signal_keys trigger triggers", use: ["signal"] },
  { names: "format output output_format accept as", otherwise: FORMATS },
  { names: "fields field select columns include expand embed", use: ["fields"], otherwise: ALL_FIELDS },
  { names: "group groupby group-by groups by facet facets aggregate aggregation aggs stats", use: ["group_by"] },
  { names: "currency", otherwise: "All amounts are in US dollars." },
  {
    names: "updated_since updated_after modified_since changed_since updated_at",
    otherwise:
      "Rows can't be filtered by when they changed. /api/v1/funding/changes and /api/v1/signals/changes list what changed; `If-None-Match` shows whether a page did.",
  },
  {
    names: "api_key apikey api-key key token access_token accesstoken auth authorization bearer",
    otherwise: "Send the key in the header `Authorization: Bearer <API_KEY>`, never in the URL.",
  },
]);

/** Names that callers know from other APIs, each with its equivalent here. */
export const USUAL_NAMES: ReadonlyMap<string, Pointer> = new Map(
  POINTERS.flatMap(({ names, ...pointer }) => names.split(" ").map((name) => [name, pointer] as const)),
);

/** Statistics have the filters of their lists, and this. */
const GROUPING = Object.freeze({ group_by: statsParameters({}, FUNDING_DIMENSIONS, "Dimension").group_by });

const LISTS: Readonly<Record<string, ParameterTable>> = Object.freeze({
  "/api/v1/funding": fundingParameters(dealTypes()),
  "/api/v1/signals": signalsParameters(dealTypes()),
  "/api/v1/investors": investorsParameters(dealTypes()),
  "/api/v1/companies": companiesParameters(dealTypes()),
  "/api/v1/funding/stats": GROUPING,
  "/api/v1/signals/stats": GROUPING,
});

/** The lists that have a parameter of this name. */
export const listsWith = (name: string): string[] =>
  Object.keys(LISTS).filter((path) => Object.hasOwn(LISTS[path]!, name));
