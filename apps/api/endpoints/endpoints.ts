import type { z } from "zod";
import type { DealTypes } from "@tranche/shared/vocabulary/deal-types";
import { exportParameters } from "@tranche/read-models/parameters/export";
import { fieldsParameter } from "@tranche/read-models/parameters/fields";
import { fundingParameters } from "@tranche/read-models/parameters/funding";
import { investorsParameters } from "@tranche/read-models/parameters/investors";
import { NAME_SEARCH_PARAMETERS } from "@tranche/read-models/parameters/name-search";
import { paging } from "@tranche/read-models/parameters/paging";
import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import { changesParameters } from "@tranche/read-models/parameters/changes";
import { companiesParameters } from "@tranche/read-models/parameters/companies";
import { signalsParameters } from "@tranche/read-models/parameters/signals";
import { fieldsOf } from "../present/fields.ts";
import { EXPORT_FORMATS, type Format, JSON_ONLY, LIST_FORMATS } from "../present/formats.ts";
import { FUNDING_TABLE } from "../present/funding.ts";
import { INVESTORS_TABLE } from "../present/investors.ts";
import { COMPANIES_TABLE, SIGNALS_TABLE } from "../present/signals.ts";
import * as changes from "../responses/changes.ts";
import * as envelopes from "../responses/envelopes.ts";
import * as lookUps from "../responses/look-ups.ts";
import { foundNames } from "../responses/name-search.ts";
import { createRows } from "../responses/rows.ts";
import { FUNDING_DIMENSIONS, SIGNALS_DIMENSIONS } from "@tranche/read-models/parameters/dimensions";
import { statsParameters } from "@tranche/read-models/parameters/stats";
import * as stats from "../responses/stats.ts";
import { usage } from "../responses/usage.ts";

/** One endpoint of the API: what is served and documented. */
export type Endpoint = {
  /** Its name in generated clients, a verb: `listFundingRounds`. */
  operationId: string;
  /** With `{id}` in place of a value. */
  path: string;
  summary: string;
  description: string;
  parameters: ParameterTable;
  /** What `{id}` is. */
  id?: { description: string; example: string };
  formats: readonly Format[];
  /** The JSON body; of an export, which has none, a row. */
  response: z.ZodType;
};

const NO_PARAMETERS: ParameterTable = Object.freeze({});

/** The parameters that select a page of a record's rounds. `path`: of the record in the example. */
const roundsOf = (path: string) =>
  paging({ path, sort: "announced_date_desc", position: { value: "2011-01-21", id: "rnd-cb-facebook-2011-01-21-1" } });

/** Every endpoint that returns data, in the order of the docs. */
export function createEndpoints(dealTypes: DealTypes) {
  const rows = createRows(dealTypes);
  const funding = Object.freeze({
    ...fundingParameters(dealTypes),
    ...fieldsParameter(
      "FundingField",
      fieldsOf(rows.fundingRow, FUNDING_TABLE.columns),
      "id,company.name,amount_usd,investors.name",
    ),
  });
  const signals = Object.freeze({
    ...signalsParameters(dealTypes),
    ...fieldsParameter(
      "SignalsField",
      fieldsOf(rows.signalsRow, SIGNALS_TABLE.columns),
      "company.name,signal_score,top_signal,latest_funding.amount_usd",
    ),
  });
  const companies = Object.freeze({
    ...companiesParameters(dealTypes),
    ...fieldsParameter(
      "CompanyField",
      fieldsOf(rows.companyRow, COMPANIES_TABLE.columns),
      "company.name,domain,total_raised_usd",
    ),
  });
  const investors = Object.freeze({
    ...investorsParameters(dealTypes),
    ...fieldsParameter(
      "InvestorField",
      fieldsOf(rows.investorRow, INVESTORS_TABLE.columns),
      "id,name,top_categories.key",
    ),
  });
  const records = lookUps.createLookUps(rows);
  const fundingStats = statsParameters(funding, FUNDING_DIMENSIONS, "FundingDimension");
  const signalsStats = statsParameters(signals, SIGNALS_DIMENSIONS, "SignalsDimension");
  const lookUp = { parameters: NO_PARAMETERS, formats: JSON_ONLY };
  return Object.freeze({
    funding: {
      operationId: "listFundingRounds",
      path: "/api/v1/funding",
      summary: "List funding rounds",
      description:
        "Searches published funding rounds. Filters are combined with AND; values within one filter with OR.",
      parameters: funding,
      formats: LIST_FORMATS,
      response: envelopes.fundingList(funding, rows),
    },
    signals: {
      operationId: "listSignals",
      path: "/api/v1/signals",
      summary: "List companies by signal",
      description:
        "Lists the companies with at least one live signal. Filters are combined with AND; values within one filter with OR, unless `signal_match` or `tech_match` is `all`.",
      parameters: signals,
      formats: LIST_FORMATS,
      response: envelopes.signalsList(signals, rows),
    },
    investors: {
      operationId: "listInvestors",
      path: "/api/v1/investors",
      summary: "List investors",
      description:
        "Lists all investors with figures of their rounds, which may lag behind the rounds by 5 seconds. Filters are combined with AND, each by itself: a round that one filter finds need not be the one that another finds. Values within one filter are combined with OR.",
      parameters: investors,
      formats: LIST_FORMATS,
      response: envelopes.investorsList(investors, rows),
    },
    companies: {
      operationId: "listCompanies",
      path: "/api/v1/companies",
      summary: "List companies",
      description:
        "Lists every company, with live signals or without. The filters are those of `/signals`; filters are combined with AND; values within one filter with OR, unless `signal_match` or `tech_match` is `all`.",
      parameters: companies,
      formats: LIST_FORMATS,
      response: envelopes.companiesList(companies, rows),
    },
    // Before the records: `export` is none of their ids.
    fundingExport: exportOf("exportFundingRounds", "/api/v1/funding", "funding rounds", funding, rows.fundingRow),
    signalsExport: exportOf("exportSignals", "/api/v1/signals", "companies by signal", signals, rows.signalsRow),
    fundingChanges: changesOf({
      operationId: "listFundingChanges",
      list: "/api/v1/funding",
      what: "funding rounds",
      parameters: funding,
      response: changes.fundingChanges(rows),
    }),
    signalsChanges: changesOf({
      operationId: "listSignalChanges",
      list: "/api/v1/signals",
      what: "companies by signal",
      parameters: signals,
      response: changes.signalsChanges(rows),
    }),
    investorsExport: exportOf("exportInvestors", "/api/v1/investors", "investors", investors, rows.investorRow),
    fundingStats: {
      operationId: "summariseFundingRounds",
      path: "/api/v1/funding/stats",
      summary: "Summarise funding rounds",
      description:
        "Counts, sums and medians of the rounds that `/funding` lists for the same filters, for all of them and by group. A request that finds more than 10,000 groups costs one request for each 10,000.",
      parameters: fundingStats,
      formats: JSON_ONLY,
      response: stats.fundingStats(fundingStats),
    },
    signalsStats: {
      operationId: "summariseSignals",
      path: "/api/v1/signals/stats",
      summary: "Summarise companies by signal",
      description:
        "Counts, scores and sums raised of the companies that `/signals` lists for the same filters, for all of them and by group. A request that finds more than 10,000 groups costs one request for each 10,000.",
      parameters: signalsStats,
      formats: JSON_ONLY,
      response: stats.signalsStats(signalsStats),
    },
    companiesExport: exportOf("exportCompanies", "/api/v1/companies", "companies", companies, rows.companyRow),
    search: {
      operationId: "searchNames",
      path: "/api/v1/search",
      summary: "Search by name",
      description:
        "Finds companies, investors, categories, cities, technologies and countries by their names as people type them: exact names first, then names that begin with `q`, then names of which each word of `q` begins a word, then those with typing errors. Costs quota like a page.",
      parameters: NAME_SEARCH_PARAMETERS,
      formats: JSON_ONLY,
      response: foundNames,
    },
    fundingRound: {
      operationId: "getFundingRound",
      path: "/api/v1/funding/{id}",
      summary: "Get a funding round",
      description: "One round, in the same form as in the list.",
      id: { description: "The round's id.", example: "rnd-cb-facebook-2011-01-21-1" },
      ...lookUp,
      response: records.fundingRound,
    },
    company: {
      operationId: "getCompany",
      path: "/api/v1/companies/{id}",
      summary: "Get a company",
      description:
        "One company: its profile, its live signals with the points that each adds to the score, and its rounds, newest first, in pages.",
      id: {
        description:
          "The company's id, slug or domain, in this order; if several match, the lowest id wins. Slugs are compared by key, so their case does not matter; of an escaped URL only the domain counts.",
        example: "facebook",
      },
      parameters: roundsOf("/api/v1/companies/facebook"),
      formats: JSON_ONLY,
      response: records.company,
    },
    investor: {
      operationId: "getInvestor",
      path: "/api/v1/investors/{id}",
      summary: "Get an investor",
      description: "One investor and the rounds it took part in, newest first, in pages.",
      id: {
        description: "The investor's id or slug. Ids take precedence over slugs; if several match, the lowest id wins.",
        example: "accel-partners",
      },
      parameters: roundsOf("/api/v1/investors/accel-partners"),
      formats: JSON_ONLY,
      response: records.investor,
    },
    categories: {
      operationId: "listCategories",
      path: "/api/v1/categories",
      summary: "List categories",
      description: "Every category of a company, the most frequent first, with counts.",
      ...lookUp,
      response: lookUps.vocabulary,
    },
    dealTypes: {
      operationId: "listDealTypes",
      path: "/api/v1/deal-types",
      summary: "List deal types",
      description: "The vocabulary of deal types, with counts. Companies are counted under their latest round's type.",
      ...lookUp,
      response: lookUps.vocabulary,
    },
    countries: {
      operationId: "listCountries",
      path: "/api/v1/countries",
      summary: "List countries",
      description: "Every country that a company is in, the most frequent first, with counts.",
      ...lookUp,
      response: lookUps.vocabulary,
    },
    technologies: {
      operationId: "listTechnologies",
      path: "/api/v1/technologies",
      summary: "List technologies",
      description: "Every technology that a company uses, the most frequent first, with counts.",
      ...lookUp,
      response: lookUps.technologies,
    },
    signalCatalog: {
      operationId: "getSignalCatalog",
      path: "/api/v1/signal-catalog",
      summary: "List signals",
      description: "What each signal means and how it affects the score.",
      ...lookUp,
      response: lookUps.signalCatalog,
    },
    usage: {
      operationId: "getUsage",
      path: "/api/v1/usage",
      summary: "Get your usage",
      description: "Your plan and how much of both limits you have used. Costs no quota.",
      ...lookUp,
      response: usage,
    },
  } satisfies Record<string, Endpoint>);
}

/** The export of a list. `row`: a line of its NDJSON. */
function exportOf(
  operationId: string,
  list: string,
  rows: string,
  parameters: ParameterTable,
  row: z.ZodType,
): Endpoint {
  return {
    operationId,
    path: `${list}/export`,
    summary: `Export ${rows}`,
    description:
      "Streams every row that the list with the same filters has, as of one moment, in the order of the ids. NDJSON has one JSON object per line, as in the list; CSV has the flat columns. Costs one request of your quota for each 1,000 rows begun. An export that can't be finished is cut off: the connection breaks. Two run at a time per account.",
    parameters: exportParameters(parameters),
    formats: EXPORT_FORMATS,
    response: row,
  };
}

/** The feed of a list's changes. */
function changesOf({
  operationId,
  list,
  what,
  parameters,
  response,
}: Pick<Endpoint, "operationId" | "parameters" | "response"> & { list: string; what: string }): Endpoint {
  const path = `${list}/changes`;
  return {
    operationId,
    path,
    summary: `Follow changes of ${what}`,
    description:
      "For callers who keep a copy: what was added to the list with the same filters, changed on it or left it since a position, in the order of the changes. Whoever applies the pages in order from `since=start` has exactly the list. Nothing is missed; something may come twice. `upsert` has the row as the list shows it; `remove` may name a row that you never had. An empty page costs no quota. A position that is not used for 30 days expires.",
    parameters: changesParameters(parameters),
    formats: JSON_ONLY,
    response,
  };
}

export type Endpoints = ReturnType<typeof createEndpoints>;
