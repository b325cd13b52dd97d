import { HttpError } from "@tranche/http/errors/http-error";

/** Every error of `/ingest`, with its status. */
const ERRORS = {
  invalid_request: 400,
  forbidden: 403,
  signed_out: 401,
  not_found: 404,
  conflict: 409,
  payload_too_large: 413,
  rows_refused: 422,
  too_many_deletions: 422,
  too_many_requests: 429,
  unavailable: 503,
} as const satisfies Record<string, number>;

export type IngestErrorCode = keyof typeof ERRORS;

/** An error of `/ingest`. `message` is for the people who run the sending program. */
export class IngestError extends HttpError<IngestErrorCode> {
  override name = "IngestError";

  constructor(
    code: IngestErrorCode,
    message: string,
    rest: { parameter?: string; retryAfter?: number; inProgress?: string | null; cause?: unknown } = {},
  ) {
    const { parameter, retryAfter, inProgress, cause } = rest;
    super(code, ERRORS[code], message, {
      docs: "run/ingest#over-http",
      ...(cause === undefined ? {} : { cause }),
      ...(retryAfter === undefined ? {} : { headers: { "Retry-After": String(retryAfter) } }),
      ...(parameter === undefined
        ? {}
        : { details: [{ parameter, ...(inProgress ? { in_progress: inProgress } : {}) }] }),
    });
  }
}
