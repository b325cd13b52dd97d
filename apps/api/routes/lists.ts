import type { FundingDocument } from "@tranche/read-models/documents/funding";
import type { InvestorDocument } from "@tranche/read-models/documents/investors";
import { REGISTRY } from "@tranche/read-models/documents/registry";
import { rowOf } from "@tranche/read-models/documents/row-text";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import { hasValue } from "@tranche/read-models/query/filters";
import { LISTED } from "@tranche/read-models/query/list-query";
import { SIGNAL_KEYS } from "@tranche/shared/domain/signals/catalogue";
import { FUNDING_SORTS } from "@tranche/read-models/parameters/funding";
import { INVESTORS_SORTS } from "@tranche/read-models/parameters/investors";
import { COMPANIES_SORTS } from "@tranche/read-models/parameters/companies";
import { SIGNALS_SORTS } from "@tranche/read-models/parameters/signals";
import { FUNDING_TABLE } from "../present/funding.ts";
import { INVESTORS_TABLE } from "../present/investors.ts";
import { COMPANIES_TABLE, companyRowText, SIGNALS_TABLE } from "../present/signals.ts";
import type { List } from "./list.ts";

/** `GET /funding`: every round whose company is known. */
export const FUNDING_LIST: List<FundingDocument> = {
  model: "funding",
  base: LISTED,
  sorts: FUNDING_SORTS,
  idField: REGISTRY.funding.idField,
  source: ["row"],
  row: ({ row }) => row,
  value: ({ row }) => rowOf(row),
  columns: FUNDING_TABLE.columns,
  flat: ({ row }) => FUNDING_TABLE.flat(rowOf(row)),
  catalogue: {},
};

/** `GET /signals`: every company with a live signal. */
export const SIGNALS_LIST: List<CompanyDocument> = {
  model: "companies",
  base: LISTED,
  sorts: SIGNALS_SORTS,
  idField: REGISTRY.companies.idField,
  source: ["row", "lead_investors"],
  row: ({ row }) => row,
  value: ({ row }) => rowOf(row),
  columns: SIGNALS_TABLE.columns,
  flat: ({ row, lead_investors }) => SIGNALS_TABLE.flat({ row: rowOf(row), lead_investors }),
  catalogue: { signal_keys: SIGNAL_KEYS },
};

/** `GET /investors`: every investor. */
export const INVESTORS_LIST: List<InvestorDocument> = {
  model: "investors",
  base: LISTED,
  sorts: INVESTORS_SORTS,
  idField: REGISTRY.investors.idField,
  source: ["row"],
  row: ({ row }) => row,
  value: ({ row }) => rowOf(row),
  columns: INVESTORS_TABLE.columns,
  flat: ({ row }) => INVESTORS_TABLE.flat(rowOf(row)),
  catalogue: {},
};

/** `GET /companies`: every company, with live signals or without. */
export const COMPANIES_LIST: List<CompanyDocument> = {
  model: "companies",
  // Gone documents have none. Every other one has.
  base: hasValue<CompanyDocument>("signal_score", true),
  sorts: COMPANIES_SORTS,
  idField: REGISTRY.companies.idField,
  source: ["row", "lead_investors", "profile"],
  row: companyRowText,
  value: (document) => rowOf(companyRowText(document)),
  columns: COMPANIES_TABLE.columns,
  flat: ({ lead_investors, ...document }) =>
    COMPANIES_TABLE.flat({ row: rowOf(companyRowText(document)), lead_investors }),
  catalogue: {},
};
