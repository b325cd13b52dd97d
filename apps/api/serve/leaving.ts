import type { Call } from "./call.ts";

/** Aborts when the caller closes the connection before the response is sent. It is made only for work that may take long. */
export function leaving({ res }: Pick<Call, "res">): AbortSignal {
  const left = new AbortController();
  if (res.closed) left.abort();
  else {
    res.once("close", () => {
      // Every answer is closed in the end, and an abort takes about 40 µs.
      if (!res.writableEnded) left.abort();
    });
  }
  return left.signal;
}
