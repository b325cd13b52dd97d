import type { Middleware } from "koa";
import type { Logger } from "@tranche/shared/process/logger";
import { errorBody } from "./error-body.ts";
import { HttpError } from "./http-error.ts";

/** Writes the body of every error. Anything but an HttpError is a bug of ours: it is logged, and the caller gets a 500. */
export function errorResponses(log: Logger, publicPath: string): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const requestId = String(ctx.state.requestId);
      const error = thrown instanceof HttpError ? thrown : internalError(thrown);
      // 503 says that an engine is away: nothing is wrong here, and there is one for each request.
      if (error.status >= 500)
        log[error.status === 503 ? "warn" : "error"](
          { err: error.cause ?? error, requestId, code: error.code },
          "request failed",
        );
      ctx.state.error = error;
      ctx.status = error.status;
      for (const [name, value] of Object.entries(error.headers)) ctx.set(name, value);
      ctx.remove("ETag");
      ctx.set("Cache-Control", "no-store");
      ctx.type = "application/json; charset=utf-8";
      ctx.body = JSON.stringify(errorBody(error, { requestId, publicPath }));
    }
  };
}

const internalError = (cause: unknown) =>
  new HttpError("internal_error", 500, "Something went wrong here. It was logged under the request id.", { cause });
