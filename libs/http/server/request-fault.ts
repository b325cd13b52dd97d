import type { IncomingMessage } from "node:http";
import type { REQUEST_FAULTS } from "../errors/request-faults.ts";

export const MAX_URL_BYTES = 8 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

/** Why a request can't be read. `message` is written for the caller. */
export type RequestFault = { code: keyof typeof REQUEST_FAULTS; message: string };

export const uriTooLong: RequestFault = {
  code: "uri_too_long",
  message: "The URL is longer than 8 KiB. Ask for fewer list items in one request.",
};
export const headersTooLarge: RequestFault = {
  code: "header_fields_too_large",
  message: "The request headers are larger than 16 KiB.",
};
const invalid = (message: string): RequestFault => ({ code: "invalid_request", message });

/** Why a request is too large or not well-formed, if it is. The server accepts such requests, so that the reply has our shape. */
export function requestFault(request: IncomingMessage): RequestFault | undefined {
  const { url = "", rawHeaders, headers, httpVersion } = request;
  if (url.length > MAX_URL_BYTES) return uriTooLong;
  let size = 0;
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!;
    // Each field travels with `: ` and a line end.
    size += name.length + rawHeaders[n + 1]!.length + 4;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  if (size > MAX_HEADER_BYTES) return headersTooLarge;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    return invalid(`HTTP/${httpVersion} is not supported. Use HTTP/1.1.`);
  }
  if (hosts > 1) return invalid("The request has more than one Host header.");
  if (hosts === 0 && httpVersion === "1.1") return invalid("The request has no Host header.");
  if (url.includes("#")) return invalid("The URL has a fragment, which clients must not send. Write '#' as %23.");
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") {
    return invalid("The Expect header asks for something other than 100-continue.");
  }
  return undefined;
}
