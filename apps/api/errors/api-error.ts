import { ERRORS, type ErrorCode, type Problem } from "./catalogue.ts";

/** A refusal on its way to the caller. `message` is written for the caller; `cause` is only ever logged. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly Problem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    rest: { details?: readonly Problem[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: rest.cause });
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = rest.details;
    this.headers = rest.headers ?? {};
  }
}

/** More problems than these are not listed: nobody reads them, and the answer would dwarf the request. */
const MAX_DETAILS = 100;

/** 400 with everything that is wrong with the parameters. */
export function invalidParameters(problems: readonly Problem[]): ApiError {
  const count = new Set(problems.map((problem) => problem.parameter)).size;
  const message = count === 1 ? "1 parameter is invalid." : `${count} parameters are invalid.`;
  return new ApiError("invalid_parameter", message, { details: problems.slice(0, MAX_DETAILS) });
}

/** 401; `reason` says what about the key is wrong without telling anything about other keys. */
export function unauthorized(reason: string): ApiError {
  return new ApiError("unauthorized", reason, { headers: { "WWW-Authenticate": 'Bearer realm="Tranche"' } });
}

export function notFound(message: string): ApiError {
  return new ApiError("not_found", message);
}

/** 503; what is away comes back within seconds as a rule. */
export function unavailable(cause: unknown, retryAfterSeconds = 2): ApiError {
  return new ApiError("unavailable", "The answer can't be given in full at the moment. Please try again shortly.", {
    headers: { "Retry-After": String(retryAfterSeconds) },
    cause,
  });
}
