import type { Middleware } from "koa";
import { isOwnHost, operatorOf } from "./operator-access.ts";
import { isForeign } from "./same-origin.ts";

/**
 * Lets in requests whose Host header names an address of the port, or that carry the operators' token, and none of other pages. For ports
 * that show nothing but health and metrics. `listening`: the interface; `named`: other names of the port.
 */
export function operatorsOnly({
  listening,
  named,
  token,
}: {
  listening: string;
  named: readonly string[];
  token: string | undefined;
}): Middleware {
  return async (ctx, next) => {
    const own = isOwnHost(ctx.headers.host, { listening, named, local: ctx.socket.localAddress });
    if (!isForeign(ctx.headers) && (own || operatorOf(ctx.headers.authorization, token))) return next();
    ctx.status = 403;
    ctx.body = { error: "The Host header is not an address of this port. Name it in TRANCHE_OPERATOR_HOSTS." };
  };
}
