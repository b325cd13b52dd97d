import type { ComponentChildren } from "preact";
import type { ListName } from "../../../../apps/dashboard/explore/list-fields.ts";
import { count, countryName, exactMoney, money } from "../../format.ts";
import type { RowOf } from "../api-rows.ts";
import { shownWord } from "../words.ts";

/** A column of a table of results. `asc` and `desc` are the orders of the API that sort by it. */
export type Column<Row> = {
  head: string;
  cell: (row: Row) => ComponentChildren;
  number?: true;
  /** Has many words, which are broken into lines. */
  long?: true;
  asc?: string;
  desc?: string;
};

export const companyHref = (id: string) => `/dashboard/companies/${encodeURIComponent(id)}`;
export const investorHref = (id: string) => `/dashboard/investors/${encodeURIComponent(id)}`;

type Company = RowOf["funding"]["company"];
type Latest = RowOf["signals"]["latest_funding"];
const MOST_SHOWN = 3;

const companyLink = ({ id, name }: Company) => <a href={companyHref(id)}>{name}</a>;
const placeOf = ({ country, city }: Company) => [city, country].filter(Boolean).join(", ") || "–";
const amount = (dollars: number | null) =>
  dollars === null ? <span class="muted">undisclosed</span> : <span title={exactMoney(dollars)}>{money(dollars)}</span>;
const word = (key: string) => <span class="word">{shownWord(key)}</span>;
const latestRound = (latest: Latest) =>
  latest === null ? (
    "–"
  ) : (
    <>
      {word(latest.deal_type)}, {amount(latest.amount_usd)}
      <br />
      <time class="muted">{latest.announced_date}</time>
    </>
  );
const signals = (keys: readonly string[]) => (
  <>
    {keys.slice(0, MOST_SHOWN).map(shownWord).join(", ") || "–"}
    {keys.length > MOST_SHOWN && <span class="muted"> and {keys.length - MOST_SHOWN} more</span>}
  </>
);
const investors = (all: RowOf["funding"]["investors"]) => (
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

/** The columns of each list. */
export const COLUMNS: { [List in ListName]: readonly Column<RowOf[List]>[] } = {
  funding: [
    {
      head: "Announced",
      cell: (row) => <time>{row.announced_date}</time>,
      asc: "announced_date_asc",
      desc: "announced_date_desc",
    },
    company(),
    { head: "Place", cell: (row) => placeOf(row.company) },
    { head: "Type", cell: (row) => word(row.deal_type) },
    { head: "Amount", cell: (row) => amount(row.amount_usd), number: true, asc: "amount_asc", desc: "amount_desc" },
    {
      head: "Investors",
      long: true,
      cell: (row) => investors(row.investors),
    },
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
    { head: "Signals", long: true, cell: (row) => signals(row.signals) },
    { head: "Place", cell: (row) => placeOf(row.company) },
    {
      head: "Latest round",
      cell: (row) => latestRound(row.latest_funding),
      asc: "latest_funding_asc",
      desc: "latest_funding_desc",
    },
    { head: "Raised", cell: (row) => amount(row.total_raised_usd), number: true },
  ],
  companies: [
    company({ asc: "name_asc", desc: "name_desc" }),
    { head: "Score", cell: (row) => score(row.signal_score), number: true, desc: "signal_score_desc" },
    { head: "Place", cell: (row) => placeOf(row.company) },
    { head: "Category", cell: (row) => row.company.category ?? "–" },
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
  ],
  investors: [
    { head: "Investor", cell: (row) => <a href={investorHref(row.id)}>{row.name}</a>, asc: "name_asc" },
    { head: "Country", cell: (row) => (row.country === null ? "–" : countryName(row.country)) },
    { head: "Kind", cell: (row) => row.kind ?? "–" },
    { head: "Rounds", cell: (row) => count(row.round_count), number: true, desc: "round_count_desc" },
    { head: "Led", cell: (row) => count(row.lead_count), number: true, desc: "lead_count_desc" },
    { head: "Companies", cell: (row) => count(row.company_count), number: true, desc: "company_count_desc" },
    { head: "Latest round", cell: (row) => row.latest_round_date ?? "–", desc: "latest_round_desc" },
    {
      head: "Most in",
      long: true,
      cell: (row) =>
        row.top_categories
          .slice(0, 3)
          .map(({ key }) => key)
          .join(", ") || "–",
    },
  ],
};
