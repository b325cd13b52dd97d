import { Router } from "@koa/router";
import type { Middleware } from "koa";
import { createEndpoints, type Endpoints } from "../endpoints/endpoints.ts";
import { addDocs } from "./docs.ts";
import { live, ready } from "./health.ts";
import { exportRoute } from "./export.ts";
import { feedRoute } from "./feed.ts";
import { COMPANIES_LIST, FUNDING_LIST, INVESTORS_LIST, SIGNALS_LIST } from "./lists.ts";
import { addOAuthMetadata } from "./oauth-metadata.ts";
import type { ApiParts } from "./parts.ts";
import { answered } from "./respond.ts";
import { createServing, type Served } from "./serving.ts";

/** Every endpoint of the API. */
export function createRouter(parts: ApiParts): Router {
  const router = new Router({ sensitive: true });
  const endpoints = createEndpoints(parts.dealTypes);
  const serving = createServing(endpoints, parts);
  const exports: Record<Exclude<keyof Endpoints, Served>, Middleware> = {
    fundingExport: exportRoute(endpoints.fundingExport, FUNDING_LIST, parts, {
      model: "funding",
      path: endpoints.fundingChanges.path,
    }),
    signalsExport: exportRoute(endpoints.signalsExport, SIGNALS_LIST, parts, {
      model: "companies",
      path: endpoints.signalsChanges.path,
    }),
    investorsExport: exportRoute(endpoints.investorsExport, INVESTORS_LIST, parts),
    companiesExport: exportRoute(endpoints.companiesExport, COMPANIES_LIST, parts),
  };
  const handlerOf = (name: keyof Endpoints): Middleware =>
    name in serving ? answered(serving[name as Served]) : exports[name as keyof typeof exports];
  for (const [name, endpoint] of Object.entries(endpoints)) {
    router.get(endpoint.path.replace("{id}", ":id"), handlerOf(name as keyof Endpoints));
  }
  router.get("/feeds/:file", feedRoute(endpoints, parts));
  addDocs(router, endpoints, { ...parts, ...parts.docs });
  addOAuthMetadata(router, parts.oauth);
  router.get("/health/live", live());
  router.get("/health/ready", ready(parts));
  return router;
}
