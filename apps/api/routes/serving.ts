import type { Endpoint } from "../endpoints/endpoint.ts";
import type { Endpoints } from "../endpoints/endpoints.ts";
import { signalCatalog } from "../present/signal-catalog.ts";
import type { Serve } from "../serve/call.ts";
import { serveChanges } from "./changes.ts";
import { serveFreshness } from "./freshness.ts";
import { serveList } from "./list.ts";
import { COMPANIES_LIST, FUNDING_LIST, INVESTORS_LIST, SIGNALS_LIST } from "./lists.ts";
import { type LookUpRequest, type LookUpResult, serveLookUp } from "./look-up.ts";
import { serveNameSearch } from "./name-search.ts";
import type { ApiParts } from "./parts.ts";
import { findCompany, findInvestor, findRound } from "./records.ts";
import { FUNDING_STATISTICS, SIGNALS_STATISTICS } from "./statistics.ts";
import { serveStats } from "./stats.ts";
import { serveUsage } from "./usage.ts";
import { findCategories, findCountries, findDealTypes, findTechnologies } from "./vocabularies.ts";

/** The endpoints whose answers are whole: all but the exports, which stream. */
export type Served = Exclude<keyof Endpoints, `${string}Export`>;

/** How each endpoint with a whole answer is served. */
export function createServing(endpoints: Pick<Endpoints, Served>, parts: ApiParts): Readonly<Record<Served, Serve>> {
  const lookUp = (endpoint: Endpoint, find: (request: LookUpRequest) => Promise<LookUpResult>) =>
    serveLookUp(endpoint, find, parts);
  return {
    funding: serveList(endpoints.funding, FUNDING_LIST, parts),
    signals: serveList(endpoints.signals, SIGNALS_LIST, parts),
    investors: serveList(endpoints.investors, INVESTORS_LIST, parts),
    fundingChanges: serveChanges(endpoints.fundingChanges, { ...FUNDING_LIST, model: "funding" }, parts),
    signalsChanges: serveChanges(endpoints.signalsChanges, { ...SIGNALS_LIST, model: "companies" }, parts),
    fundingStats: serveStats(endpoints.fundingStats, FUNDING_STATISTICS, parts),
    signalsStats: serveStats(endpoints.signalsStats, SIGNALS_STATISTICS, parts),
    companies: serveList(endpoints.companies, COMPANIES_LIST, parts),
    search: serveNameSearch(endpoints.search, parts),
    fundingRound: lookUp(endpoints.fundingRound, findRound(parts)),
    company: lookUp(endpoints.company, findCompany(parts)),
    investor: lookUp(endpoints.investor, findInvestor(parts)),
    categories: lookUp(endpoints.categories, findCategories(parts)),
    dealTypes: lookUp(endpoints.dealTypes, findDealTypes(parts)),
    countries: lookUp(endpoints.countries, findCountries(parts)),
    technologies: lookUp(endpoints.technologies, findTechnologies(parts)),
    signalCatalog: lookUp(endpoints.signalCatalog, async () => ({ data: signalCatalog() })),
    usage: serveUsage(endpoints.usage, parts),
    freshness: serveFreshness(endpoints.freshness, parts),
  };
}
