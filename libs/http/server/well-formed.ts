import type { Middleware } from "koa";
import { HttpError } from "../errors/http-error.ts";
import { REQUEST_FAULTS } from "../errors/request-faults.ts";
import { requestFault } from "./request-fault.ts";

/** Refuses requests that are too large or not well-formed. */
export function wellFormedOnly(): Middleware {
  return async (ctx, next) => {
    const fault = requestFault(ctx.req);
    if (fault) throw new HttpError(fault.code, REQUEST_FAULTS[fault.code], fault.message);
    await next();
  };
}
