import { HttpError } from "@tranche/http/errors/http-error";

/** Every error of the operators' port, with its status. */
const ERRORS = {
  invalid_request: 400,
  signed_out: 401,
  wrong_token: 401,
  foreign_page: 403,
  wrong_host: 403,
  no_token_set: 403,
  csrf_failed: 403,
  not_found: 404,
  conflict: 409,
  too_many_requests: 429,
  pages_not_built: 503,
  unavailable: 503,
} as const satisfies Record<string, number>;

export type OperatorErrorCode = keyof typeof ERRORS;

/** An error of the operators' port. `message` is written for operators. */
export class OperatorError extends HttpError<OperatorErrorCode> {
  override name = "OperatorError";

  constructor(
    code: OperatorErrorCode,
    message: string,
    rest: { parameter?: string; cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    const { parameter, ...others } = rest;
    super(code, ERRORS[code], message, {
      ...others,
      ...(parameter === undefined ? {} : { details: [{ parameter }] }),
    });
  }
}
