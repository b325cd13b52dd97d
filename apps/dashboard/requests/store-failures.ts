import { AccountError } from "@tranche/shared/accounts/account";
import { isEngineError } from "@tranche/shared/engines/search/client";
import type { Middleware } from "koa";
import { PageError } from "@tranche/http/errors/page-error";
import { isRedisError } from "./redis.ts";

/**
 * Answers `unavailable` when Elasticsearch or Redis did not answer, so that a page can offer to try again, and `conflict` with the text of
 * a store that refuses a change.
 */
export function storeFailures(): Middleware {
  return async (_ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = thrown as Error;
      if (error instanceof AccountError) throw new PageError("conflict", error.message, { cause: error });
      if (!isEngineError(error) && !isRedisError(error)) throw error;
      throw new PageError("unavailable", "The stores of this service do not answer.", { cause: error });
    }
  };
}
