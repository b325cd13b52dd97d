import { matchedRoute } from "@tranche/http/server/matched-route";
import type { Middleware } from "koa";
import { createProcessRegistry } from "@tranche/operations/metrics/registry";
import { Counter, Histogram, type Registry } from "prom-client";

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type DashboardMetrics = {
  registry: Registry;
  /** Counts the answers of the app. Put it outside of whatever sets their status. */
  count: Middleware;
  /** One mail, and whether the mail server took it. */
  mail: (taken: boolean) => void;
};

/** The metrics of one dashboard process. */
export function createDashboardMetrics(namespace: string): DashboardMetrics {
  const registry = createProcessRegistry(namespace);
  const registers = [registry];
  const answers = new Counter({
    name: "tranche_dashboard_requests_total",
    help: "Answered requests of the dashboard",
    labelNames: ["route", "method", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "tranche_dashboard_request_seconds",
    help: "Time from a request of the dashboard to its answer",
    labelNames: ["route"],
    buckets: BUCKETS,
    registers,
  });
  const mails = new Counter({
    name: "tranche_mails_total",
    help: "Mails, by whether the mail server took them: sent or failed",
    labelNames: ["outcome"],
    registers,
  });
  // A rate needs the zero before the first one.
  for (const outcome of ["sent", "failed"]) mails.inc({ outcome }, 0);
  return {
    registry,
    mail: (taken) => mails.inc({ outcome: taken ? "sent" : "failed" }),
    async count(ctx, next) {
      const since = performance.now();
      await next();
      // A pattern, never a path with ids in it: there would be as many series as ids.
      const route = matchedRoute(ctx) ?? "page";
      answers.inc({ route, method: METHODS.has(ctx.method) ? ctx.method : "other", status: ctx.status });
      seconds.observe({ route }, (performance.now() - since) / 1000);
    },
  };
}

/** Anyone may send a method of any name. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
