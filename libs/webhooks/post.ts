import { type Dispatcher, request } from "undici";
import { ForbiddenAddress } from "./forbidden-address.ts";

/** A receiver has this long for its answer. */
const ANSWER_WITHIN_MS = 10_000;
/** So much of an answer is read and kept, in bytes. */
const ANSWER_BYTES = 4096;
const USER_AGENT = "Tranche-Webhooks/1";

/** How an attempt went. */
export type Attempt = {
  delivered: boolean;
  /** Null when there was no answer. */
  status: number | null;
  /** Why it failed, for people; null for a success. */
  reason: string | null;
  /** The beginning of the answer, at most 4 KiB. */
  answer: string;
  took_ms: number;
};

/** Posts a JSON text to a receiver. Never rejects, and follows no redirect. An answer of 2xx within 10 s is success. */
export type Post = (url: string, body: string, headers?: Readonly<Record<string, string>>) => Promise<Attempt>;

export function createPost(dispatcher: Dispatcher): Post {
  return async (...message) => {
    const begun = performance.now();
    const outcome = await attempt(dispatcher, ...message);
    return { ...outcome, took_ms: Math.round(performance.now() - begun) };
  };
}

async function attempt(
  dispatcher: Dispatcher,
  url: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Omit<Attempt, "took_ms">> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  try {
    const { statusCode: status, body } = await request(url, {
      method: "POST",
      dispatcher,
      signal,
      headers: { ...headers, "content-type": "application/json", "user-agent": USER_AGENT },
      body: text,
    });
    const answer = await beginningOf(body);
    const delivered = status >= 200 && status < 300;
    return { delivered, status, reason: delivered ? null : `The receiver answered ${status}.`, answer };
  } catch (error) {
    return { delivered: false, status: null, reason: reasonOf(error as Error), answer: "" };
  }
}

/** Reads no more than is kept. A receiver that breaks off in its answer has answered all the same. */
async function beginningOf(body: AsyncIterable<Buffer> & { destroy: () => unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= ANSWER_BYTES) break;
    }
  } catch {
    // The part that came counts.
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString("utf8");
}

type NetworkError = Error & { code?: string; cause?: unknown };

const REASONS: Readonly<Record<string, string>> = {
  ENODATA: "The name of the receiver has no address.",
  ETIMEOUT: "The name servers of the receiver do not answer.",
  ESERVFAIL: "The name servers of the receiver fail.",
  ENOTFOUND: "The name of the receiver can't be resolved.",
  EAI_AGAIN: "The name of the receiver can't be resolved at the moment.",
  ECONNREFUSED: "The receiver refuses the connection.",
  ECONNRESET: "The receiver broke the connection off.",
  UND_ERR_SOCKET: "The receiver broke the connection off.",
  UND_ERR_CONNECT_TIMEOUT: "The receiver could not be reached within 5 s.",
  EHOSTUNREACH: "There is no way to the receiver.",
  ENETUNREACH: "There is no way to the receiver.",
};

function reasonOf(error: NetworkError): string {
  if (error.name === "TimeoutError") return "The receiver did not answer within 10 s.";
  if (error instanceof ForbiddenAddress) return error.message;
  if (error.cause instanceof ForbiddenAddress) return error.cause.message;
  return REASONS[error.code ?? ""] ?? `The receiver could not be reached: ${error.message || error.code}`;
}
