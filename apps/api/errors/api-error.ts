import { HttpError } from "@tranche/http/errors/http-error";
import type { Plan } from "@tranche/shared/accounts/plans";
import { ERRORS, type ErrorCode, type Problem } from "./catalogue.ts";

/** An error reply: a code of the catalogue, which has its status. */
export class ApiError extends HttpError<ErrorCode, Problem> {
  override name = "ApiError";

  constructor(
    code: ErrorCode,
    message: string,
    rest: { details?: readonly Problem[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(code, ERRORS[code].status, message, rest);
  }
}

/** More problems are left out: nobody reads them, and the reply would be much longer than the request. */
const MAX_DETAILS = 100;

/** 400 with all problems of the parameters, at least one. The message is the first problem, because clients log it. */
export function invalidParameters(problems: readonly Problem[], cause?: Error): ApiError {
  const { message: text, hint } = problems[0]!;
  const first = hint ? `${text} ${hint}` : text;
  const message = problems.length === 1 ? first : `${problems.length} problems. The first: ${first}`;
  return new ApiError("invalid_parameter", message, { details: problems.slice(0, MAX_DETAILS), cause });
}

/** 401; `reason` says what is wrong with the key and nothing about other keys. */
export function unauthorized(reason: string): ApiError {
  return new ApiError("unauthorized", reason, { headers: { "WWW-Authenticate": 'Bearer realm="Tranche"' } });
}

/** 403 of a plan without exports. `rest`: the rest of the first sentence, and what to do instead. */
export function planForbidden({ name }: Pick<Plan, "name">, rest: string): ApiError {
  return new ApiError("plan_forbidden", `The plan ${name} has no exports${rest}`);
}

/** 404; `details` may suggest what there is. */
export function notFound(message: string, details?: readonly Problem[]): ApiError {
  return new ApiError("not_found", message, details && { details });
}

/** 408 of a request whose caller closed the connection before it was answered. Nobody reads it, but it is counted. */
export function leftEarly(cause: unknown): ApiError {
  return new ApiError("request_timeout", "The connection was closed before the answer began.", { cause });
}

/** 503; as a rule the engines are back within seconds. */
export function unavailable(cause: unknown, retryAfterSeconds = 2): ApiError {
  return new ApiError("unavailable", "The service can't answer in full at the moment. Please try again shortly.", {
    headers: { "Retry-After": String(retryAfterSeconds) },
    cause,
  });
}

/** 500; the cause is logged, and says nothing to the caller. */
export function internalError(cause: unknown): ApiError {
  return new ApiError("internal_error", "Something went wrong here. It was logged under the request id.", { cause });
}
