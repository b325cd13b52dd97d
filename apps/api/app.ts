import cors from "@koa/cors";
import Koa from "koa";
import compress from "koa-compress";
import { createRefuse } from "./admission/refuse.ts";
import { settled } from "./admission/settle.ts";
import { errorResponses } from "@tranche/http/errors/error-responses";
import { createReplays } from "./routes/replayed.ts";
import { createRouter } from "./routes/routes.ts";
import { unrouted } from "./routes/unrouted.ts";
import type { Parts } from "./routes/parts.ts";
import type { Metrics } from "./serve/metrics.ts";
import { createObserve, observed } from "./serve/observe.ts";
import { wellFormed } from "./serve/well-formed.ts";
import { requestIds } from "@tranche/http/server/request-id";
import type { Listener } from "@tranche/http/server/server";
import { securityHeaders } from "@tranche/http/server/security-headers";

const EXPOSED_HEADERS = [
  "ETag",
  "Link",
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "X-Total-Count",
  "X-Warnings",
];
const ALLOWED_HEADERS = ["Authorization", "Content-Type", "If-None-Match", "Prefer", "X-Request-Id"];

/**
 * The public app: every request goes through these steps from top to bottom, every answer back up. In front of them stands what
 * sends an answer again that they gave before.
 */
export function createApp(parts: Parts, metrics: Metrics, options: { trustedProxies?: number } = {}): Listener {
  const { trustedProxies = 0 } = options;
  // Of the addresses in X-Forwarded-For only those that our own proxies wrote are believed: the last ones.
  const app = new Koa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  const router = createRouter(parts);
  const refuse = createRefuse(parts.admit);
  const observe = createObserve(parts.log, metrics);
  const replays = createReplays(parts.settle, observe);
  app.use(replays.learning);
  app.use(requestIds());
  app.use(observed(observe));
  app.use(securityHeaders());
  app.use(compress({ threshold: 1024, zstd: false, deflate: false }));
  app.use(
    cors({
      allowMethods: ["GET", "HEAD"],
      allowHeaders: ALLOWED_HEADERS,
      exposeHeaders: EXPOSED_HEADERS,
      maxAge: 86_400,
    }),
  );
  app.use(settled(parts.settle));
  app.use(errorResponses(parts.log));
  app.use(wellFormed(refuse));
  app.use(router.routes());
  app.use(unrouted(refuse));
  // What fails outside the steps above is a connection that broke off.
  app.on("error", (error: Error) => parts.log.debug({ reason: error.message }, "a connection failed"));
  return replays.inFrontOf(app);
}
