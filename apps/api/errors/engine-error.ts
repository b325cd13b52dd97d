import { searchFailureKind } from "@tranche/shared/engines/search/client";
import { type ApiError, internalError, unavailable } from "./api-error.ts";

/** The error reply for a failed call: 503 when the engine is away or busy, 500 when it refuses our request. */
export function engineError(error: unknown): ApiError {
  const status = (error as { meta?: { statusCode?: number } }).meta?.statusCode;
  // 404: the index is missing while the engine starts or an operator restores it.
  if (searchFailureKind(error) !== "refused" || status === 404 || status === 401 || status === 403)
    return unavailable(error);
  return internalError(error);
}
