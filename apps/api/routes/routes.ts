import { Router } from "@koa/router";
import type { Middleware } from "koa";
import { signalCatalog } from "../present/signal-catalog.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { createEndpoints, type Endpoints } from "../endpoints/endpoints.ts";
import { addDocs } from "./docs.ts";
import { live, ready } from "./health.ts";
import { changesRoute } from "./changes.ts";
import { exportRoute } from "./export.ts";
import { feedRoute } from "./feed.ts";
import { listRoute } from "./list.ts";
import { COMPANIES_LIST, FUNDING_LIST, INVESTORS_LIST, SIGNALS_LIST } from "./lists.ts";
import { type LookUpRequest, type LookUpResult, lookUpRoute } from "./look-up.ts";
import { nameSearchRoute } from "./name-search.ts";
import type { ApiParts } from "./parts.ts";
import { findCompany, findInvestor, findRound } from "./records.ts";
import { FUNDING_STATISTICS, SIGNALS_STATISTICS } from "./statistics.ts";
import { statsRoute } from "./stats.ts";
import { usageRoute } from "./usage.ts";
import { findCategories, findCountries, findDealTypes, findTechnologies } from "./vocabularies.ts";

/** Every endpoint of the API. */
export function createRouter(parts: ApiParts): Router {
  const router = new Router({ sensitive: true });
  const endpoints = createEndpoints(parts.dealTypes);
  const lookUp = (endpoint: Endpoint, find: (request: LookUpRequest) => Promise<LookUpResult>) =>
    lookUpRoute(endpoint, find, parts);
  const handlers: Record<keyof Endpoints, Middleware> = {
    funding: listRoute(endpoints.funding, FUNDING_LIST, parts),
    signals: listRoute(endpoints.signals, SIGNALS_LIST, parts),
    investors: listRoute(endpoints.investors, INVESTORS_LIST, parts),
    fundingExport: exportRoute(endpoints.fundingExport, FUNDING_LIST, parts, {
      model: "funding",
      path: endpoints.fundingChanges.path,
    }),
    signalsExport: exportRoute(endpoints.signalsExport, SIGNALS_LIST, parts, {
      model: "companies",
      path: endpoints.signalsChanges.path,
    }),
    investorsExport: exportRoute(endpoints.investorsExport, INVESTORS_LIST, parts),
    fundingChanges: changesRoute(endpoints.fundingChanges, { ...FUNDING_LIST, model: "funding" }, parts),
    signalsChanges: changesRoute(endpoints.signalsChanges, { ...SIGNALS_LIST, model: "companies" }, parts),
    fundingStats: statsRoute(endpoints.fundingStats, FUNDING_STATISTICS, parts),
    signalsStats: statsRoute(endpoints.signalsStats, SIGNALS_STATISTICS, parts),
    companiesExport: exportRoute(endpoints.companiesExport, COMPANIES_LIST, parts),
    companies: listRoute(endpoints.companies, COMPANIES_LIST, parts),
    search: nameSearchRoute(endpoints.search, parts),
    fundingRound: lookUp(endpoints.fundingRound, findRound(parts)),
    company: lookUp(endpoints.company, findCompany(parts)),
    investor: lookUp(endpoints.investor, findInvestor(parts)),
    categories: lookUp(endpoints.categories, findCategories(parts)),
    dealTypes: lookUp(endpoints.dealTypes, findDealTypes(parts)),
    countries: lookUp(endpoints.countries, findCountries(parts)),
    technologies: lookUp(endpoints.technologies, findTechnologies(parts)),
    signalCatalog: lookUp(endpoints.signalCatalog, async () => ({ data: signalCatalog() })),
    usage: usageRoute(endpoints.usage, parts),
  };
  for (const [name, endpoint] of Object.entries(endpoints)) {
    router.get(endpoint.path.replace("{id}", ":id"), handlers[name as keyof Endpoints]);
  }
  router.get("/feeds/:file", feedRoute(endpoints, parts));
  addDocs(router, endpoints, { ...parts, ...parts.docs });
  router.get("/health/live", live());
  router.get("/health/ready", ready(parts));
  return router;
}
