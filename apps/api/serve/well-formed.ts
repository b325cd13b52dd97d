import type { Middleware } from "koa";
import { requestFault } from "@tranche/http/server/request-fault";
import type { Refuse } from "../admission/refuse.ts";
import { ApiError } from "../errors/api-error.ts";

/** Refuses requests that are too large or not well-formed. */
export function wellFormed(refuse: Refuse): Middleware {
  return async (ctx, next) => {
    const fault = requestFault(ctx.req);
    if (fault) return refuse(ctx, new ApiError(fault.code, fault.message));
    await next();
  };
}
