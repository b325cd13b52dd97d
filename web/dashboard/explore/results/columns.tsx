import type { ComponentChildren } from "preact";
import type { ListName } from "../../../../apps/dashboard/explore/list-fields.ts";
import { When } from "../../../ui/when.tsx";
import { count, countryName, exactMoney, money } from "../../format.ts";
import type { RowOf } from "../api-rows.ts";
import { shownWord } from "../words.ts";
import { AnnouncedDay } from "./announced-day.tsx";

/** A column of a table of results. `asc` and `desc` are the orders of the API that sort by it. */
export type Column<Row> = {
  head: string;
  cell: (row: Row) => ComponentChildren;
  number?: true;
  /** Has many words, which are broken into lines. */
  long?: true;
  /** Is shown only to those who choose it. */
  more?: true;
  asc?: string;
  desc?: string;
};

export const companyHref = (id: string) => `/dashboard/companies/${encodeURIComponent(id)}`;
export const investorHref = (id: string) => `/dashboard/investors/${encodeURIComponent(id)}`;

type Company = RowOf["funding"]["company"];
type Investors = RowOf["funding"]["investors"];
type Latest = RowOf["signals"]["latest_funding"];
const MOST_SHOWN = 3;

const companyLink = ({ id, name }: Company) => <a href={companyHref(id)}>{name}</a>;
/** "Berlin, Germany"; a city and its country of one name are told once. */
export const placeOf = ({ country, city }: Company): string =>
  [...new Set([city, country && countryName(country)])].filter(Boolean).join(", ");
const category = ({ category: key }: Company) => (key === null ? "–" : shownWord(key));
export const amount = (dollars: number | null) =>
  dollars === null ? <span class="muted">undisclosed</span> : <span title={exactMoney(dollars)}>{money(dollars)}</span>;
const word = (key: string) => <span class="word">{shownWord(key)}</span>;
const day = (date: string | null) => (date === null ? "–" : <When time={date} as="day" />);
const latestRound = (latest: Latest) =>
  latest === null ? (
    "–"
  ) : (
    <>
      {word(latest.deal_type)}, {amount(latest.amount_usd)}
      <br />
      <span class="muted">
        <When time={latest.announced_date} as="day" />
      </span>
    </>
  );
/** The first texts, and how many more there are. */
const several = (texts: readonly string[]) => (
  <>
    {texts.slice(0, MOST_SHOWN).join(", ") || "–"}
    {texts.length > MOST_SHOWN && <span class="muted"> and {texts.length - MOST_SHOWN} more</span>}
  </>
);
const investors = (all: Investors) => (
  <>
    {all.length === 0 && "–"}
    {all.slice(0, MOST_SHOWN).map(({ id, name, is_lead: leads }, at) => (
      <span key={id}>
        {at > 0 && ", "}
        <a href={investorHref(id)}>{name}</a>
        {leads && <span class="muted"> (lead)</span>}
      </span>
    ))}
    {all.length > MOST_SHOWN && <span class="muted"> and {all.length - MOST_SHOWN} more</span>}
  </>
);
const score = (value: number) => <b>{value}</b>;

const company = <Row extends { company: Company }>(order: { asc?: string; desc?: string } = {}): Column<Row> => ({
  head: "Company",
  cell: (row) => companyLink(row.company),
  ...order,
});

/** The columns of each list. The first one says what a row is about. */
export const COLUMNS: { [List in ListName]: readonly Column<RowOf[List]>[] } = {
  funding: [
    company(),
    {
      head: "Announced",
      cell: (row) => <AnnouncedDay date={row.announced_date} />,
      asc: "announced_date_asc",
      desc: "announced_date_desc",
    },
    { head: "Type", cell: (row) => word(row.deal_type) },
    { head: "Amount", cell: (row) => amount(row.amount_usd), number: true, asc: "amount_asc", desc: "amount_desc" },
    { head: "Investors", long: true, cell: (row) => investors(row.investors) },
    { head: "Lead investors", more: true, cell: (row) => investors(row.investors.filter(({ is_lead }) => is_lead)) },
    { head: "Place", cell: (row) => placeOf(row.company) || "–" },
    { head: "Category", more: true, cell: (row) => category(row.company) },
    { head: "Updated", more: true, cell: (row) => day(row.updated_at) },
  ],
  signals: [
    company({ asc: "name_asc", desc: "name_desc" }),
    {
      head: "Score",
      cell: (row) => score(row.signal_score),
      number: true,
      asc: "signal_score_asc",
      desc: "signal_score_desc",
    },
    { head: "Signals", long: true, cell: (row) => several(row.signals.map(shownWord)) },
    { head: "Place", cell: (row) => placeOf(row.company) || "–" },
    {
      head: "Latest round",
      cell: (row) => latestRound(row.latest_funding),
      asc: "latest_funding_asc",
      desc: "latest_funding_desc",
    },
    { head: "Raised", cell: (row) => amount(row.total_raised_usd), number: true },
    { head: "Rounds", more: true, cell: (row) => count(row.round_count), number: true },
    { head: "Category", more: true, cell: (row) => category(row.company) },
    { head: "Technologies", more: true, cell: (row) => several(row.tech_stack) },
  ],
  companies: [
    company({ asc: "name_asc", desc: "name_desc" }),
    { head: "Score", cell: (row) => score(row.signal_score), number: true, desc: "signal_score_desc" },
    { head: "Place", cell: (row) => placeOf(row.company) || "–" },
    { head: "Category", cell: (row) => category(row.company) },
    {
      head: "Latest round",
      cell: (row) => latestRound(row.latest_funding),
      asc: "latest_funding_asc",
      desc: "latest_funding_desc",
    },
    {
      head: "Raised",
      cell: (row) => amount(row.total_raised_usd),
      number: true,
      asc: "total_raised_asc",
      desc: "total_raised_desc",
    },
    { head: "Rounds", cell: (row) => count(row.round_count), number: true, desc: "round_count_desc" },
    { head: "Domain", more: true, cell: (row) => row.domain ?? "–" },
    { head: "Founded", more: true, cell: (row) => row.founded_year ?? "–", number: true },
    {
      head: "Headcount",
      more: true,
      cell: (row) => (row.headcount === null ? "–" : count(row.headcount)),
      number: true,
      desc: "headcount_desc",
    },
    { head: "Signals", more: true, long: true, cell: (row) => several(row.signals.map(shownWord)) },
    { head: "Technologies", more: true, cell: (row) => several(row.tech_stack) },
  ],
  investors: [
    { head: "Investor", cell: (row) => <a href={investorHref(row.id)}>{row.name}</a>, asc: "name_asc" },
    { head: "Country", cell: (row) => (row.country === null ? "–" : countryName(row.country)) },
    { head: "Kind", cell: (row) => (row.kind === null ? "–" : shownWord(row.kind)) },
    { head: "Rounds", cell: (row) => count(row.round_count), number: true, desc: "round_count_desc" },
    { head: "Led", cell: (row) => count(row.lead_count), number: true, desc: "lead_count_desc" },
    { head: "Companies", cell: (row) => count(row.company_count), number: true, desc: "company_count_desc" },
    { head: "Latest round", cell: (row) => day(row.latest_round_date), desc: "latest_round_desc" },
    { head: "First round", more: true, cell: (row) => day(row.first_round_date) },
    { head: "Most in", long: true, cell: (row) => several(row.top_categories.map(({ key }) => shownWord(key))) },
    { head: "Countries", more: true, cell: (row) => several(row.top_countries.map(({ key }) => countryName(key))) },
    { head: "Stages", more: true, cell: (row) => several(row.top_deal_types.map(({ key }) => shownWord(key))) },
  ],
};
