import { engineTrouble } from "@tranche/shared/search/client";
import { ApiError, unavailable } from "./api-error.ts";

/** What a failed call means for the caller: an engine that is away or busy is `unavailable`, a request it refuses is our fault. */
export function engineError(error: unknown): ApiError {
  const status = (error as { meta?: { statusCode?: number } }).meta?.statusCode;
  // 404: an index is missing while the engine starts or an operator restores it.
  if (engineTrouble(error) !== "refused" || status === 404 || status === 401 || status === 403)
    return unavailable(error);
  return new ApiError("internal_error", "Something went wrong here. It was logged under the request id.", {
    cause: error,
  });
}
