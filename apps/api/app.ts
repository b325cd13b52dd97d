import cors from "@koa/cors";
import Koa, { type Middleware } from "koa";
import { createRefuse } from "./admission/refuse.ts";
import { settleResponses } from "./admission/settle.ts";
import { errorResponses } from "@tranche/http/errors/error-responses";
import { compressed } from "@tranche/http/server/compressed";
import { type AllowsOrigin, createAllowsOrigin } from "./mcp/origin.ts";
import { MCP_PATH, mcpRoute } from "./mcp/route.ts";
import { createRouter } from "./routes/routes.ts";
import { unrouted } from "./routes/unrouted.ts";
import type { ApiParts } from "./routes/parts.ts";
import { wellFormed } from "./serve/well-formed.ts";
import { requestIds } from "@tranche/http/server/request-id";
import type { Listener } from "@tranche/http/server/server";
import { securityHeaders } from "@tranche/http/server/security-headers";
import { observed } from "./serve/observe.ts";

const EXPOSED_HEADERS = [
  "Content-Disposition",
  "ETag",
  "Link",
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-Next-Cursor",
  "X-Changes-Since",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "X-Total-Count",
  "X-Warnings",
];
/** Headers of the Model Context Protocol. */
const MCP_HEADERS = ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID"];
const ALLOWED_HEADERS = ["Authorization", "Content-Type", "If-None-Match", "Prefer", "X-Request-Id"];

/** The rights of pages of other origins: to read everything, and of some to send requests to `/mcp`. */
function crossOrigin(allowsOrigin: AllowsOrigin): Middleware {
  const common = { exposeHeaders: EXPOSED_HEADERS, maxAge: 86_400 };
  const reading = cors({ ...common, allowMethods: ["GET", "HEAD"], allowHeaders: ALLOWED_HEADERS });
  const calling = cors({
    ...common,
    allowMethods: ["POST"],
    allowHeaders: [...ALLOWED_HEADERS, ...MCP_HEADERS],
    origin: (ctx) => (allowsOrigin(ctx.req) ? ctx.get("Origin") : ""),
  });
  return (ctx, next) => (ctx.path === MCP_PATH ? calling(ctx, next) : reading(ctx, next));
}

/**
 * The public app: every request goes down through these steps, every answer back up. The front cache, if there is one, answers
 * repeated requests before they get here.
 */
export function createApp(
  parts: ApiParts,
  options: { trustedProxies?: number; mcpOrigins?: readonly string[] } = {},
): Listener {
  const { trustedProxies = 0, mcpOrigins = [] } = options;
  // Only the last addresses in X-Forwarded-For were written by our own proxies; the others are not to be trusted.
  const app = new Koa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  const allowsOrigin = createAllowsOrigin({ publicUrl: parts.publicUrl, allowed: mcpOrigins });
  const router = createRouter(parts);
  router.all(MCP_PATH, mcpRoute(parts, allowsOrigin));
  const refuse = createRefuse(parts.admit);
  const front = parts.caches?.front;
  if (front) app.use(front.storeResponses);
  app.use(requestIds());
  app.use(observed(parts.observe));
  app.use(securityHeaders());
  app.use(compressed());
  app.use(crossOrigin(allowsOrigin));
  app.use(settleResponses(parts.settle, parts.recordError));
  app.use(errorResponses(parts.log, parts.publicPath));
  app.use(wellFormed(refuse));
  app.use(router.routes());
  app.use(unrouted(refuse));
  // Errors outside the steps above are broken connections.
  app.on("error", (error: Error) => parts.log.debug({ reason: error.message }, "a connection failed"));
  return front ? front.inFrontOf(app) : app.callback();
}
