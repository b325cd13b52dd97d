import type { Middleware } from "koa";
import { carriesToken, isOwnHost, accessOf } from "./operator-access.ts";
import { isForeign } from "./same-origin.ts";
import { createWrongTokens } from "./wrong-tokens.ts";

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
  const wrongTokens = createWrongTokens();
  return async (ctx, next) => {
    const own = isOwnHost(ctx.headers.host, { listening, named, local: ctx.socket.localAddress });
    const { authorization } = ctx.headers;
    if (!isForeign(ctx.headers) && (own || accessOf(authorization, token))) return next();
    const wait = carriesToken(authorization) ? await wrongTokens.note(ctx.ip) : undefined;
    if (wait !== undefined) {
      ctx.status = 429;
      ctx.set("Retry-After", String(wait));
      ctx.body = { error: `Too many wrong tokens. Try again in ${wait} s.` };
      return;
    }
    ctx.status = 403;
    ctx.body = { error: "The Host header is not an address of this port. Name it in TRANCHE_OPERATOR_HOSTS." };
  };
}
