import Koa from "koa";
import type { Metrics } from "./serve/metrics.ts";

/** What only operators may see; it listens on a port of its own that is never public. */
export function createOperatorApp(metrics: Metrics): Koa {
  const app = new Koa();
  app.use(async (ctx) => {
    if (ctx.path !== "/metrics") return;
    ctx.type = metrics.registry.contentType;
    ctx.body = await metrics.registry.metrics();
  });
  return app;
}
