/** A problem of one parameter of a request. */
export type Problem = {
  parameter: string;
  message?: string;
  value?: unknown;
  suggestion?: string;
  allowed?: readonly string[];
};

/** An answer that is not a success, in words for people. `code` is `offline` when there was no answer at all. */
export class RequestFailed extends Error {
  override name = "RequestFailed";
  readonly code: string;
  readonly status: number;
  readonly parameter: string | undefined;
  /** Every problem of the request. */
  readonly details: readonly Problem[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    facts: {
      code: string;
      status: number;
      parameter?: string | undefined;
      details?: readonly Problem[] | undefined;
      requestId?: string | undefined;
      retryAfterSeconds?: number | undefined;
    },
  ) {
    super(message);
    this.code = facts.code;
    this.status = facts.status;
    this.parameter = facts.parameter;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** An event of the window: an answer says that the session has ended. */
export const SIGNED_OUT = "signed-out";
/** An event of the window: an answer says that the session may not do something, so its role may have changed. */
export const FORBIDDEN = "forbidden";

type ErrorBody = {
  error?: { code?: string; message?: string; parameter?: string; details?: Problem[]; request_id?: string };
};

type Requested<T> = { body: T; headers: Headers };

/** `body`: bytes, or a value that is sent as JSON. */
type Options = { method?: string; body?: unknown; csrfToken?: string; signal?: AbortSignal };

/**
 * Sends a request to this origin and reads the JSON of its answer; `body` is undefined where there is none. Rejects with RequestFailed.
 */
export async function requestJson<T>(path: string, options: Options = {}): Promise<Requested<T>> {
  const { text, headers } = await send(path, "application/json", options);
  return { body: (isJson(headers) && text !== "" ? JSON.parse(text) : undefined) as T, headers };
}

/** The same for an answer in another format, such as `text/csv`. A truncated answer is a failure, too. */
export const requestText = async (path: string, accept: string): Promise<string> => (await send(path, accept, {})).text;

/** Most outages of Redis last less: longer waits are left to people. */
const MOMENT_S = 2;

/** Sends a request. A GET is sent again once after a 503 that names a moment. */
async function send(path: string, accept: string, options: Options): Promise<Sent> {
  try {
    return await sendOnce(path, accept, options);
  } catch (error) {
    const { status, retryAfterSeconds = Infinity } = error as RequestFailed;
    if (status !== 503 || retryAfterSeconds > MOMENT_S || (options.method ?? "GET") !== "GET") throw error;
    await new Promise((resolve) => setTimeout(resolve, 1000 * retryAfterSeconds));
    return sendOnce(path, accept, options);
  }
}

type Sent = { text: string; headers: Headers };

async function sendOnce(
  path: string,
  accept: string,
  { method = "GET", body, csrfToken, signal }: Options,
): Promise<Sent> {
  const unreachable = (error: Error) => {
    throw error.name === "AbortError" ? error : noAnswer();
  };
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    ...(signal ? { signal } : {}),
    headers: {
      Accept: accept,
      ...(body === undefined
        ? {}
        : { "Content-Type": body instanceof Blob ? "application/octet-stream" : "application/json" }),
      ...(csrfToken === undefined ? {} : { "X-CSRF-Token": csrfToken }),
    },
    ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
  }).catch(unreachable);
  const text = await response.text().catch(unreachable);
  const { headers } = response;
  if (response.ok) return { text, headers };
  throw failureOf(response.status, text, headers);
}

/** The failure of an answer that is not a success. */
export function failureOf(status: number, text: string, headers: Headers): RequestFailed {
  const { error } = (isJson(headers) ? JSON.parse(text) : {}) as ErrorBody;
  if (error?.code === "signed_out") dispatchEvent(new Event(SIGNED_OUT));
  if (error?.code === "forbidden") dispatchEvent(new Event(FORBIDDEN));
  const retryAfter = Number(headers.get("Retry-After"));
  return new RequestFailed(error?.message ?? `The service answered with ${status}.`, {
    code: error?.code ?? "internal_error",
    status,
    parameter: error?.parameter,
    details: error?.details,
    requestId: error?.request_id,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : undefined,
  });
}

/** There was no answer at all. */
export const noAnswer = (): RequestFailed =>
  new RequestFailed("There is no answer from the service.", { code: "offline", status: 0 });

const isJson = (headers: Headers): boolean => headers.get("Content-Type")?.includes("json") ?? false;
