import type { ParameterTable, Values } from "@tranche/read-models/parameters/parameter";
import type { Served } from "../routes/serving.ts";
import { LIVE_SIGNALS_ONLY, OF, RECORD, TOPIC } from "./own-arguments.ts";

/** An endpoint that a tool asks, the name of its rows, and their members unless the caller chooses others. */
export type Target = { endpoint: Served; rows: string; columns?: readonly string[] };

export type Tool = {
  title: string;
  /** For the model: what the tool is for. */
  description: string;
  /** Arguments that are not of an endpoint. */
  own: ParameterTable;
  targets: readonly Target[];
  /** The target that the own arguments select; undefined for a tool without an endpoint. */
  targetOf: (own: Values) => Target | undefined;
  /** Its filters are explained at another tool. */
  brief?: true;
};

const target = (endpoint: Served, rows: string, columns?: string): Target => ({
  endpoint,
  rows,
  ...(columns === undefined ? {} : { columns: columns.split(",") }),
});

const ROUND =
  "id,announced_date,deal_type,amount_usd,company.id,company.name,company.country,investors.name,investors.is_lead";
const COMPANY =
  "company.id,company.name,company.country,company.category,signal_score,signals,latest_funding.announced_date,latest_funding.deal_type,latest_funding.amount_usd,total_raised_usd";

const SEARCH = target("search", "names");
const FUNDING = target("funding", "rounds", ROUND);
const COMPANIES = target("companies", "companies", COMPANY);
const SIGNALS = target("signals", "companies", COMPANY);
const INVESTORS = target("investors", "investors", "id,name,country,round_count,company_count");
const RECORDS: Readonly<Record<string, Target>> = {
  round: target("fundingRound", "round"),
  company: target("company", "company"),
  investor: target("investor", "investor"),
};
const STATS: Readonly<Record<string, Target>> = {
  rounds: target("fundingStats", "groups"),
  companies: target("signalsStats", "groups"),
};
const CHANGES: Readonly<Record<string, Target>> = {
  rounds: target("fundingChanges", "changes", ROUND),
  companies: target("signalsChanges", "changes", COMPANY),
};
const USAGE = target("usage", "usage");

const single = (title: string, description: string, only: Target): Tool => ({
  title,
  description,
  own: {},
  targets: [only],
  targetOf: () => only,
});
const selecting = (
  title: string,
  description: string,
  own: ParameterTable,
  argument: string,
  targets: Readonly<Record<string, Target>>,
): Tool => ({
  title,
  description,
  own,
  targets: Object.values(targets),
  targetOf: (values) => targets[String((values[argument] as string | boolean | undefined) ?? false)],
});

/** Every tool, in the order in which a model should think of them. */
export const TOOLS: Readonly<Record<string, Tool>> = Object.freeze({
  find: single(
    "Find by name",
    "Finds companies, investors, categories, cities, technologies and countries by name, tolerating typing errors. Gives the `id` or `key` to send in filters.",
    SEARCH,
  ),
  list_rounds: single(
    "List funding rounds",
    "Funding rounds (who raised, when, how much, from whom) with exact count, by filters and order. Filters are combined with AND, items of a list with OR. A list item `!x` excludes x.",
    FUNDING,
  ),
  list_companies: selecting(
    "List companies",
    "Companies with their live signals, score, latest round and total raised. Dates, amounts and deal type are of the latest round: for any round ask list_rounds. Filters as there: AND, items of a list OR, `!x` excludes x.",
    LIVE_SIGNALS_ONLY,
    "live_signals_only",
    { false: COMPANIES, true: SIGNALS },
  ),
  list_investors: single(
    "List investors",
    "Investors with the number of their rounds and companies. Two filters may be met by two different rounds.",
    INVESTORS,
  ),
  get: selecting(
    "Get one record",
    "One round, company (profile, signals with their points, rounds) or investor (with rounds).",
    RECORD,
    "type",
    RECORDS,
  ),
  stats: {
    ...selecting(
      "Summarise",
      "Exact counts, sums, averages and medians of what a list with the same filters shows, in all and by one or two dimensions in `group_by`. Of rounds: the filters of list_rounds; of companies: those of list_companies without `q`. Use it in place of adding up rows.",
      OF,
      "of",
      STATS,
    ),
    brief: true,
  },
  changes: {
    ...selecting(
      "Follow changes",
      "What was added to a list, changed on it or left it since a time or a position; `since: start` begins with the whole list. Filters as in stats.",
      OF,
      "of",
      CHANGES,
    ),
    brief: true,
  },
  describe: {
    title: "Describe the data",
    description:
      "The members of rows, filters and orders of a list; signals with meaning and weight; deal types; the largest categories and countries. Free. Call it first if you are not sure.",
    own: TOPIC,
    targets: [],
    targetOf: () => undefined,
  },
  usage: single("Show usage", "Your plan, and how much of its limits is used. Free.", USAGE),
});
