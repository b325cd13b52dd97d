import { isForeign, isSame } from "@tranche/http/server/same-origin";
import type { Context, Middleware } from "koa";
import { csrfTokenOf, isOwnHost, operatorOf } from "./access.ts";

export type Guard = {
  /** The interface the port listens on. */
  listening: string;
  /** Other names that a Host header may have. */
  named: readonly string[];
  token: string | undefined;
};

/** For probes and scrapers, a valid Host header or the token is enough. Everything else is a page for people. */
const OPEN = new Set(["/metrics", "/health/live", "/health/ready"]);
const SAFE_METHODS = new Set(["GET", "HEAD"]);
export const CSRF_HEADER = "X-CSRF-Token";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Admits operators only: no pages of other origins in an operator's browser, and no foreign host names (DNS rebinding). */
export function guarded(guard: Guard): Middleware {
  return async (ctx, next) => {
    ctx.set({
      "Content-Security-Policy": POLICY,
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cache-Control": "no-store",
    });
    const operator = operatorOf(ctx.headers.authorization, guard.token);
    ctx.state.operator = operator && `queues:${operator.name}@${ctx.ip}`;

    if (isForeign(ctx.headers)) return refuse(ctx, 403, "This request comes from a page of another origin.");
    const local = ctx.socket.localAddress;
    if (!operator && !isOwnHost(ctx.headers.host, { ...guard, local })) {
      return refuse(
        ctx,
        403,
        "The Host header is not an address of this port. Name it in TRANCHE_OPERATOR_HOSTS, or send the operators' token.",
      );
    }
    if (OPEN.has(ctx.path)) return next();
    if (guard.token === undefined) {
      return refuse(ctx, 403, "This page needs a token: set TRANCHE_OPERATOR_TOKEN and start the API again.");
    }
    if (!operator) {
      ctx.set("WWW-Authenticate", 'Basic realm="Tranche operators", charset="UTF-8", Bearer');
      return refuse(ctx, 401, "Send the operators' token as `Authorization: Bearer`, or as the password of any user.");
    }
    const csrf = ctx.get(CSRF_HEADER);
    if (operator.scheme === "basic" && !SAFE_METHODS.has(ctx.method) && !isSame(csrf, csrfTokenOf(guard.token))) {
      return refuse(ctx, 403, `The header ${CSRF_HEADER} is missing or wrong. Reload the page.`);
    }
    return next();
  };
}

function refuse(ctx: Context, status: number, error: string): void {
  ctx.status = status;
  ctx.body = { error };
}
