import { companiesParameters } from "@tranche/read-models/parameters/companies";
import { CSV_TEXT } from "@tranche/read-models/parameters/csv-text";
import { fieldsParameter } from "@tranche/read-models/parameters/fields";
import { fundingParameters } from "@tranche/read-models/parameters/funding";
import { investorsParameters } from "@tranche/read-models/parameters/investors";
import { signalsParameters } from "@tranche/read-models/parameters/signals";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { fieldsOf } from "../present/fields.ts";
import { LIST_FORMATS } from "../present/formats.ts";
import { FUNDING_TABLE } from "../present/funding.ts";
import { INVESTORS_TABLE } from "../present/investors.ts";
import { COMPANIES_TABLE, SIGNALS_TABLE } from "../present/signals.ts";
import * as envelopes from "../responses/envelopes.ts";
import type { Rows } from "../responses/rows.ts";
import type { Endpoint } from "./endpoint.ts";

/** The parameters of each list. */
export function listTables(dealTypes: DealTypes, rows: Rows) {
  const funding = Object.freeze({
    ...fundingParameters(dealTypes),
    ...fieldsParameter(
      "FundingField",
      fieldsOf(rows.fundingRow, FUNDING_TABLE.columns),
      "id,company.name,amount_usd,investors.name",
    ),
    ...CSV_TEXT,
  });
  const signals = Object.freeze({
    ...signalsParameters(dealTypes),
    ...fieldsParameter(
      "SignalsField",
      fieldsOf(rows.signalsRow, SIGNALS_TABLE.columns),
      "company.name,signal_score,top_signal,latest_funding.amount_usd",
    ),
    ...CSV_TEXT,
  });
  const companies = Object.freeze({
    ...companiesParameters(dealTypes),
    ...fieldsParameter(
      "CompanyField",
      fieldsOf(rows.companyRow, COMPANIES_TABLE.columns),
      "company.name,domain,total_raised_usd",
    ),
    ...CSV_TEXT,
  });
  const investors = Object.freeze({
    ...investorsParameters(dealTypes),
    ...fieldsParameter(
      "InvestorField",
      fieldsOf(rows.investorRow, INVESTORS_TABLE.columns),
      "id,name,top_categories.key",
    ),
    ...CSV_TEXT,
  });
  return { funding, signals, companies, investors };
}

export type ListTables = ReturnType<typeof listTables>;

export function listEndpoints({ funding, signals, companies, investors }: ListTables, rows: Rows) {
  return {
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
        "Lists all investors with figures of their rounds, which may lag behind the rounds by 5 seconds, and by more while many records are ingested. Filters are combined with AND, each by itself: a round that one filter finds need not be the one that another finds. Values within one filter are combined with OR.",
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
  } satisfies Record<string, Endpoint>;
}
