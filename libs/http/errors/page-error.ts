import { HttpError } from "./http-error.ts";

/** Every error of the requests of pages, members' and operators', with its status. */
const STATUS = {
  invalid_request: 400,
  signed_out: 401,
  wrong_token: 401,
  wrong_origin: 403,
  foreign_page: 403,
  wrong_host: 403,
  no_token_set: 403,
  csrf_failed: 403,
  account_suspended: 403,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  link_unusable: 410,
  too_large: 413,
  too_many_requests: 429,
  pages_not_built: 503,
  unavailable: 503,
} as const satisfies Record<string, number>;

type PageErrorCode = keyof typeof STATUS;

/** An error of a page's request. `message` is written for people. */
export class PageError extends HttpError<PageErrorCode> {
  override name = "PageError";

  constructor(
    code: PageErrorCode,
    message: string,
    rest: { parameter?: string; cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    const { parameter, ...others } = rest;
    super(code, STATUS[code], message, {
      ...others,
      // Its codes are those of pages, and the docs explain those of the API.
      docs: null,
      ...(parameter === undefined ? {} : { details: [{ parameter }] }),
    });
  }
}

/** The refusal of a caller who does something too often. `refusal` says what was too much. */
export function tooMany(refusal: string, seconds: number): PageError {
  const wait = String(Math.max(1, Math.ceil(seconds)));
  return new PageError("too_many_requests", `${refusal} Try again in ${wait} s.`, { headers: { "Retry-After": wait } });
}
