import type { IncomingMessage } from "node:http";
import { ApiError } from "../errors/api-error.ts";

const MAX_BYTES = 64 * 1024;
/** A longer body is read to its end up to here, because most clients read no answer before they have sent everything. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/** The whole body of a request. Rejects with `payload_too_large`, and with `request_timeout` when the connection closes before its end. */
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
    request.once("end", () => (bytes > MAX_BYTES ? tooLarge() : resolve(Buffer.concat(chunks).toString())));
    request.once("close", () => {
      if (!request.complete)
        reject(new ApiError("request_timeout", "The connection was closed before its body ended."));
    });
    request.once("error", () => {});
  });
}
