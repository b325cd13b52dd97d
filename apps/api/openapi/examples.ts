import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { listDigest } from "@tranche/read-models/query/sealed";
import { atHorizon } from "@tranche/read-models/feed/position";
import { encodePosition } from "@tranche/read-models/feed/position-text";
import { presentUsage } from "../present/usage.ts";
import { rowText } from "@tranche/read-models/documents/row-text";
import { dayOf } from "@tranche/shared/domain/time/day";
import { SIGNAL_KEYS } from "@tranche/shared/domain/signals/catalogue";
import { FUNDING_SORTS } from "@tranche/read-models/parameters/funding";
import { INVESTORS_SORTS } from "@tranche/read-models/parameters/investors";
import { COMPANIES_SORTS } from "@tranche/read-models/parameters/companies";
import { SIGNALS_SORTS } from "@tranche/read-models/parameters/signals";
import { presentCompany } from "../present/company.ts";
import { FUNDING_TABLE } from "../present/funding.ts";
import { INVESTORS_TABLE } from "../present/investors.ts";
import { pagination } from "../present/pagination.ts";
import { signalCatalog } from "../present/signal-catalog.ts";
import { COMPANIES_TABLE, companyRowText, SIGNALS_TABLE } from "../present/signals.ts";
import { csv, ndjson } from "../present/table.ts";
import type { Freshness } from "../responses/freshness.ts";
import type { Endpoints } from "../endpoints/endpoints.ts";
import { COMPANY, COMPANY_ROW, INVESTOR, INVESTOR_ROW, ROUND, SIGNALS, SIGNALS_ROW } from "./example-records.ts";

const TODAY = dayOf("2025-03-24");
const PAGE = pagination(1, { limit: 10, offset: 0 }, undefined);
const counts = { company_count: 31, signalled_company_count: 12 };

const CHANGED = Date.UTC(2025, 2, 15, 8) * 1000;
const POSITION = encodePosition({
  digest: listDigest("/api/v1/funding/changes", {}),
  position: atHorizon("f3e1", CHANGED),
});

/** A reply of each endpoint, made by the functions that make real replies. */
export const EXAMPLES = {
  funding: {
    data: [ROUND],
    pagination: PAGE,
    filters_applied: { country: ["DE"], from: "2025-01-01", sort: "announced_date_desc" },
    sort_options: Object.keys(FUNDING_SORTS),
  },
  signals: {
    data: [SIGNALS_ROW],
    signal_keys: SIGNAL_KEYS,
    pagination: PAGE,
    filters_applied: { signal: ["just_raised"], country: ["DE"], sort: "signal_score_desc" },
    sort_options: Object.keys(SIGNALS_SORTS),
  },
  investors: {
    data: [INVESTOR_ROW],
    pagination: PAGE,
    filters_applied: { category: ["robotics"], min_round_count: 10, sort: "round_count_desc" },
    sort_options: Object.keys(INVESTORS_SORTS),
  },
  companies: {
    data: [COMPANY_ROW],
    pagination: PAGE,
    filters_applied: { country: ["DE"], sort: "name_asc" },
    sort_options: Object.keys(COMPANIES_SORTS),
  },
  fundingExport: ROUND,
  signalsExport: SIGNALS_ROW,
  investorsExport: INVESTOR_ROW,
  fundingChanges: {
    data: [
      { change: "upsert", id: ROUND.id, changed_at: "2025-03-15T08:00:01.250Z", row: ROUND },
      { change: "remove", id: "rnd-lumen-2024-01-09", changed_at: "2025-03-15T08:00:01.250Z" },
    ],
    next: POSITION,
    has_more: false,
  },
  signalsChanges: {
    data: [{ change: "upsert", id: COMPANY.id, changed_at: "2025-03-15T08:00:01.250Z", row: SIGNALS_ROW }],
    next: POSITION,
    has_more: false,
  },
  fundingStats: {
    data: [
      {
        key: "series_a",
        name: "Series A",
        id: null,
        filters: { deal_types: "series_a" },
        count: 57,
        share: 0.75,
        companies: 57,
        disclosed: 51,
        total_amount_usd: 612_000_000,
        average_amount_usd: 12_000_000,
        median_amount_usd: 9_500_000,
        max_amount_usd: 48_000_000,
      },
    ],
    total: {
      count: 76,
      companies: 70,
      disclosed: 66,
      total_amount_usd: 654_250_000,
      average_amount_usd: 9_912_878.79,
      median_amount_usd: 7_000_000,
      max_amount_usd: 48_000_000,
    },
    other: { groups: 2, count: 19, disclosed: 15, total_amount_usd: 42_250_000 },
    group_by: ["deal_type"],
    multi_valued: [],
    approximate: {},
    filters_applied: { country: ["DE"], from: "2025-01-01", group_by: ["deal_type"], sort: "count_desc" },
  },
  signalsStats: {
    data: [
      {
        key: "just_raised",
        name: "Just raised",
        id: null,
        filters: { signal: "just_raised" },
        count: 31,
        share: 0.775,
        average_score: 61.4,
        total_raised_usd: 412_500_000,
      },
    ],
    total: { count: 40, average_score: 52.08, total_raised_usd: 473_000_000 },
    other: { groups: 6, count: 22, total_raised_usd: 180_000_000 },
    group_by: ["signal"],
    multi_valued: ["signal"],
    approximate: {},
    filters_applied: { country: ["DE"], group_by: ["signal"], sort: "count_desc" },
  },
  companiesExport: COMPANY_ROW,
  search: {
    data: [
      {
        type: "company",
        id: COMPANY.id,
        key: "lumen-robotics",
        name: COMPANY.name,
        matched: "prefix",
        country: COMPANY.country,
        rounds: 2,
        companies: null,
      },
    ],
  },
  fundingRound: { data: ROUND },
  company: { data: presentCompany(SIGNALS, [ROUND], TODAY), pagination: PAGE },
  investor: {
    data: {
      investor: INVESTOR,
      rounds: [ROUND],
      updated_at: "2025-02-01T08:00:00Z",
    },
    pagination: PAGE,
  },
  categories: { data: [{ key: "robotics", name: "robotics", round_count: 57, ...counts }] },
  dealTypes: { data: [{ key: "series_a", name: "Series A", round_count: 57, ...counts }] },
  countries: { data: [{ key: "DE", name: "Germany", round_count: 57, ...counts }] },
  technologies: { data: [{ key: "nodejs", name: "Node.js", ...counts }] },
  signalCatalog: { data: signalCatalog().slice(0, 2) },
  usage: {
    data: presentUsage(
      "growth",
      DEFAULT_PLANS.growth!,
      {
        at: Date.parse("2025-03-24T10:00:30Z"),
        burst: { limit: 300, used: 12, resetsAt: Date.parse("2025-03-24T10:01:04Z") },
        month: { limit: 100_000, used: 41_207, resetsAt: Date.parse("2025-04-01T00:00:00Z") },
        own: { limit: 10_000, used: 312, resetsAt: Date.parse("2025-04-01T00:00:00Z") },
      },
      1874,
    ),
  },
  freshness: {
    today: "2025-03-24",
    lists: {
      funding: { count: 48_213, changed_at: "2025-03-24T09:58:12.401Z", newest_announced_date: "2025-03-24" },
      companies: { count: 19_044, changed_at: "2025-03-24T09:58:12.401Z" },
      investors: { count: 7730, changed_at: "2025-03-24T09:58:13.007Z" },
    },
    delay_seconds: 0,
  } satisfies Freshness,
} satisfies Record<keyof Endpoints, unknown>;

const { lead_investors } = SIGNALS;

/** A row with `format=flat` of each list that has it. */
export const FLAT_ROWS = {
  signals: SIGNALS_TABLE.flat({ row: SIGNALS_ROW, lead_investors }),
  companies: COMPANIES_TABLE.flat({ row: COMPANY_ROW, lead_investors }),
};

/** The texts of exports. */
export const TEXTS = {
  fundingExport: {
    csv: csv(FUNDING_TABLE.columns, [FUNDING_TABLE.flat(ROUND)]),
    ndjson: ndjson([rowText(ROUND)]),
  },
  investorsExport: {
    csv: csv(INVESTORS_TABLE.columns, [INVESTORS_TABLE.flat(INVESTOR_ROW)]),
    ndjson: ndjson([rowText(INVESTOR_ROW)]),
  },
  companiesExport: {
    csv: csv(COMPANIES_TABLE.columns, [FLAT_ROWS.companies]),
    ndjson: ndjson([companyRowText(SIGNALS)]),
  },
  signalsExport: { csv: csv(SIGNALS_TABLE.columns, [FLAT_ROWS.signals]), ndjson: ndjson([SIGNALS.row]) },
};
