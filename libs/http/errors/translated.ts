import type { Middleware } from "koa";
import type { HttpError } from "./http-error.ts";

/** Answers with the error that `translate` makes of another one. Where it makes none, the error stays what it is. */
export function translated(translate: (error: Error) => HttpError | undefined): Middleware {
  return async (_ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      throw translate(thrown as Error) ?? thrown;
    }
  };
}
