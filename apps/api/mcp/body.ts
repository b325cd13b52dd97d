import type { IncomingMessage } from "node:http";
import { ApiError } from "../errors/api-error.ts";

const MAX_BYTES = 64 * 1024;
/** A longer body is read to its end up to here, because most clients read no answer before they have sent everything. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/**
 * The whole body of a request, without a byte order mark. Rejects with `payload_too_large`, with `invalid_request` for bytes that are no text,
 * and with `request_timeout` when the connection closes before its end.
 */
export function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const tooLarge = () =>
      reject(new ApiError("payload_too_large", `The body is larger than ${MAX_BYTES / 1024} KiB.`));
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
      else if (bytes > MAX_DISCARDED_BYTES) {
        request.pause();
        tooLarge();
      }
    });
    request.once("end", () => {
      if (bytes > MAX_BYTES) return tooLarge();
      try {
        resolve(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
      } catch (error) {
        reject(new ApiError("invalid_request", "The body is not UTF-8. Send JSON, not compressed.", { cause: error }));
      }
    });
    request.once("close", () => {
      if (!request.complete)
        reject(new ApiError("request_timeout", "The connection was closed before its body ended."));
    });
    request.once("error", () => {});
  });
}
