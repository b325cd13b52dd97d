import Koa from "koa";
import { errorResponses } from "@tranche/http/errors/error-responses";
import { translated } from "@tranche/http/errors/translated";
import { compressed } from "@tranche/http/server/compressed";
import type { readBuiltSite } from "@tranche/http/server/built-site";
import { requestIds } from "@tranche/http/server/request-id";
import type { Listener } from "@tranche/http/server/server";
import { namedSpans } from "@tranche/http/server/traced";
import { wellFormedOnly } from "@tranche/http/server/well-formed";
import { nothingThere, sitePages } from "@tranche/http/pages/site-pages";
import { jsonBodies } from "@tranche/http/server/json-body";
import { storeFailure } from "./requests/store-failures.ts";
import { ownPagesOnly, pageHeaders } from "./requests/guard.ts";
import type { DashboardMetrics } from "./metrics.ts";
import { oauthEndpoints } from "./oauth/endpoints.ts";
import type { DashboardParts } from "./routes/parts.ts";
import { createRouter } from "./routes/routes.ts";

const ROOT = "/dashboard";

/**
 * The dashboard: its pages under `/dashboard`, and their requests under `/dashboard/api`. `address` is what people reach it by. `ready`
 * rejects while load balancers should send requests elsewhere. `count` sees every answer.
 */
export function createApp(
  parts: DashboardParts,
  site: ReturnType<typeof readBuiltSite>,
  {
    trustedProxies,
    address,
    publicPath,
    ready,
    count,
  }: {
    trustedProxies: number;
    address: string;
    publicPath: string;
    ready: () => Promise<void>;
    count: DashboardMetrics["count"];
  },
): Listener {
  const app = new Koa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  const router = createRouter(parts);
  const { origin: ownOrigin, protocol, pathname } = new URL(address);
  app.use(namedSpans());
  app.use(count);
  app.use(requestIds());
  app.use(pageHeaders({ secure: protocol === "https:" }));
  app.use(compressed());
  app.use(errorResponses(parts.log, publicPath));
  app.use(wellFormedOnly());
  app.use(translated(storeFailure));
  if (parts.oauth) {
    const endpoints = oauthEndpoints(parts.oauth, { ...parts, grants: parts.grantsAs("application") });
    app.use(endpoints.routes());
  }
  app.use(ownPagesOnly({ ownOrigin }));
  app.use(async (ctx, next) => {
    if (ctx.path === "/health/live") return void (ctx.body = { status: "live" });
    if (ctx.path === "/health/ready") return isReady(ctx, ready, parts.log);
    await next();
  });
  app.use(sitePages(site, { root: ROOT, home: pathname }));
  app.use(async (ctx, next) => {
    ctx.set("Cache-Control", "no-store");
    await next();
  });
  app.use(nothingThere());
  app.use(parts.changes.ended);
  app.use(jsonBodies());
  app.use(router.routes());
  app.on("error", (error: Error) => parts.log.debug({ reason: error.message }, "a connection failed"));
  return app.callback();
}

/** The reason is for operators: anyone may ask, and it may name addresses. */
async function isReady(ctx: Koa.Context, ready: () => Promise<void>, log: DashboardParts["log"]): Promise<void> {
  ctx.set("Cache-Control", "no-store");
  await ready().then(
    () => (ctx.body = { status: "ready" }),
    (error: Error) => {
      log.warn({ reason: error.message }, "the dashboard is not ready");
      ctx.status = 503;
      ctx.body = { status: "not ready" };
    },
  );
}
