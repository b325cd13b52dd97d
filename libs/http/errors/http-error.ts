/** One problem of a request, for callers: the parameter and its error. */
export type Detail = {
  parameter: string;
  /** A suggestion in words, for places that show only the message. The error body leaves it out. */
  hint?: string | undefined;
};

/**
 * An error that an app answers with. `message` is written for the caller; `cause` is only logged. Each app has a subclass that takes
 * code and status from its own catalogue.
 */
export class HttpError<Code extends string = string, Problem extends Detail = Detail> extends Error {
  override name = "HttpError";
  readonly code: Code;
  readonly status: number;
  readonly details: readonly Problem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The place below `/docs` that explains it; null without one. By default its code on the page of the API's errors. */
  readonly docs: string | null;

  constructor(
    code: Code,
    status: number,
    message: string,
    rest: {
      details?: readonly Problem[];
      headers?: Record<string, string>;
      docs?: string | null;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: rest.cause });
    this.code = code;
    this.status = status;
    this.details = rest.details;
    this.headers = rest.headers ?? {};
    this.docs = rest.docs === undefined ? `errors#${code}` : rest.docs;
  }
}
