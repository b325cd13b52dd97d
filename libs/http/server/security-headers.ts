import type { Middleware } from "koa";

/** Headers that keep browsers from sniffing, framing or running an answer. Our own pages loosen the policy themselves. */
export function securityHeaders(): Middleware {
  return async (ctx, next) => {
    ctx.set("X-Content-Type-Options", "nosniff");
    ctx.set("Referrer-Policy", "no-referrer");
    ctx.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    await next();
  };
}
