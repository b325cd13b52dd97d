import type { Middleware } from "koa";
import type { Logger } from "@tranche/shared/log/logger";
import { ApiError } from "./api-error.ts";
import { errorBody } from "./error-body.ts";

/** Writes the body of every error, whatever threw it. Anything but an ApiError is a bug of ours: logged, and reported as 500. */
export function errorResponses(log: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const requestId = String(ctx.state.requestId);
      const error =
        thrown instanceof ApiError
          ? thrown
          : new ApiError("internal_error", "Something went wrong here. It was logged under the request id.", {
              cause: thrown,
            });
      if (error.status >= 500) log.error({ err: error.cause ?? error, requestId, code: error.code }, "request failed");
      ctx.status = error.status;
      for (const [name, value] of Object.entries(error.headers)) ctx.set(name, value);
      ctx.remove("ETag");
      ctx.set("Cache-Control", "no-store");
      ctx.type = "application/json; charset=utf-8";
      ctx.body = JSON.stringify(errorBody(error, requestId));
    }
  };
}
