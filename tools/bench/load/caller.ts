import { Client } from "undici";
import type { Exchange, Target } from "./exchange.ts";

/** Sends one request over one kept-alive connection; resolves when the whole answer is there, with what is wrong with it. */
export type Caller = { call(exchange: Exchange): Promise<string | undefined>; close(): Promise<void> };

/** undici as it is: no retries, no parsing, the answer's bytes are read and dropped. One request at a time. */
export function createCaller({ origin, headers }: Pick<Target, "origin" | "headers">): Caller {
  const client = new Client(origin, { pipelining: 1, bodyTimeout: 30_000, headersTimeout: 30_000 });
  return {
    call: ({ method, path, body = null }) =>
      new Promise((resolve, reject) => {
        let status = 0;
        let failure = "";
        client.dispatch(
          { method, path, headers, body },
          {
            onRequestStart() {},
            onResponseStart(_controller, statusCode) {
              status = statusCode;
            },
            onResponseData(_controller, chunk) {
              if (status !== 200) failure += chunk.toString();
            },
            onResponseEnd() {
              resolve(status === 200 ? undefined : `${method} ${path}: ${status} ${failure.slice(0, 300)}`);
            },
            onResponseError(_controller, error) {
              reject(error);
            },
          },
        );
      }),
    close: () => client.close(),
  };
}
