import { PageError } from "@tranche/http/errors/page-error";
import { AccountError } from "@tranche/shared/accounts/account";
import { isEngineError } from "@tranche/shared/engines/search/client";
import { isRedisError } from "./redis.ts";

/**
 * The answer to the failure of a store: `unavailable` when Elasticsearch or Redis did not answer, so that a page can offer to try
 * again, and `conflict` with the text of a store that refuses a change. Undefined for any other error.
 */
export function storeFailure(error: Error): PageError | undefined {
  if (error instanceof AccountError) return new PageError("conflict", error.message, { cause: error });
  if (!isEngineError(error) && !isRedisError(error)) return undefined;
  return new PageError("unavailable", "The stores of this service do not answer.", { cause: error });
}
