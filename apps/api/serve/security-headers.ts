import type { Middleware } from "koa";

/** What keeps answers from being taken for something else by a browser; pages of ours loosen the policy themselves. */
export function securityHeaders(): Middleware {
  return async (ctx, next) => {
    ctx.set("X-Content-Type-Options", "nosniff");
    ctx.set("Referrer-Policy", "no-referrer");
    ctx.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    await next();
  };
}
