import { type Dispatcher, Pool } from "undici";
import { PageError } from "@tranche/http/errors/page-error";
import { traceHeaders } from "@tranche/http/server/traced";

/** Until the headers of an answer. An export sends them before its rows. */
const HEADERS_WITHIN_MS = 30_000;
/** Between two parts of an answer. Time in which the browser takes nothing does not count. */
const PARTS_WITHIN_MS = 60_000;

export type ApiRequest = {
  method: "GET" | "HEAD";
  /** As it is sent: a client that parses URLs would resolve `..` in it. */
  path: string;
  headers: Record<string, string>;
  signal?: AbortSignal;
};

/** Connections to the API. */
export type ApiClient = {
  /** Rejects with `unavailable` when there is no answer. */
  request(request: ApiRequest): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
};

/** `url` is the API's address without a path. */
export function createApiClient(url: string): ApiClient {
  const pool = new Pool(new URL(url).origin, {
    connections: 256,
    connect: { timeout: 5000 },
    headersTimeout: HEADERS_WITHIN_MS,
    bodyTimeout: PARTS_WITHIN_MS,
  });
  return {
    request: ({ signal, headers, ...request }) =>
      pool
        .request({ ...request, headers: { ...headers, ...traceHeaders() }, ...(signal ? { signal } : {}) })
        .catch((error: Error) => {
          throw new PageError("unavailable", "The API does not answer.", { cause: error });
        }),
    close: () => pool.destroy(),
  };
}
