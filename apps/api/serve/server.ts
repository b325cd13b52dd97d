import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { once } from "node:events";
import { type AddressInfo, Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import { ApiError } from "../errors/api-error.ts";
import { errorBody } from "../errors/error-body.ts";
import { newRequestId } from "./request-id.ts";
import { headersTooLarge, MAX_URL_BYTES, uriTooLong } from "./request-fault.ts";

/** Address and headers together; well above what is allowed, so that nearly every refusal is told by the app. */
const PARSER_LIMIT_BYTES = 32 * 1024;
/** Longer than load balancers keep an idle connection, so that it is never us who closes one under a request. */
const KEEP_ALIVE_MS = 65_000;

/** Who sends more slowly holds a connection for nothing; looked for every second. */
const HEADERS_WITHIN_MS = 5000;
const REQUEST_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 1000;
/** Bodies up to this size, which clients send with a GET by mistake, are read and ignored. */
const MAX_BODY_BYTES = 8 * 1024;
/** A connection on which nothing came for so long while the server closes is idle. */
const IDLE_FOR_MS = 2000;
/** Who does not take the answer either. Longer than any answer takes to be made. */
const SILENT_FOR_MS = 30_000;

/** What Koa makes of an app, and what stands in front of it. It never rejects. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The HTTP server of an app. What can't be parsed as a request is answered in the shape of all errors. */
export function createHttpServer(listener: Listener, limits: { maxConnections?: number } = {}): Server {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (bodyIsLong(request)) response.shouldKeepAlive = false;
    void listener(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: PARSER_LIMIT_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_WITHIN_MS,
      requestTimeout: REQUEST_WITHIN_MS,
      connectionsCheckingInterval: LOOK_EVERY_MS,
      // The listener refuses it, in the shape of all errors.
      requireHostHeader: false,
    },
    answer,
  );
  // Other expectations than 100-continue, which Node would answer with an empty 417.
  server.on("checkExpectation", answer);
  server.timeout = SILENT_FOR_MS;
  if (limits.maxConnections !== undefined) server.maxConnections = limits.maxConnections;
  server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    socket.end(rawResponse(parseError(error)));
  });
  return server;
}

/** Whether a request has a body that is long or of unknown length. Nobody reads it, so the connection ends with the reply. */
function bodyIsLong({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES;
}

/** Starts listening; returns the address, with the port that was chosen when 0 was asked for. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, "listening");
  const { address, port: chosen } = server.address() as AddressInfo;
  return `http://${address.includes(":") ? `[${address}]` : address}:${chosen}`;
}

/**
 * Stops listening and lets what is under way end within `withinMs`. A kept connection may have a request on its way when it is
 * closed: so each is told with its next answer that it ends, and is closed only when it stays idle.
 */
export async function closeServer(server: Server, withinMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  // Not the HTTP server's own close, which would cut all idle connections at once.
  NetServer.prototype.close.call(server);
  server.prependListener("request", (_request, response: ServerResponse) => (response.shouldKeepAlive = false));
  const idle = setTimeout(() => server.closeIdleConnections(), Math.min(IDLE_FOR_MS, withinMs));
  const all = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearTimeout(idle);
  clearTimeout(all);
}

function parseError(error: { code?: string; rawPacket?: Buffer }): ApiError {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new ApiError("request_timeout", "The request did not arrive in time.");
  }
  if (error.code !== "HPE_HEADER_OVERFLOW") {
    return new ApiError("invalid_request", `This is not a well-formed HTTP request.${hintOf(error.rawPacket)}`);
  }
  const firstLine = error.rawPacket?.indexOf("\r\n") ?? -1;
  const startsRequest = /^[A-Z]+ /.test(error.rawPacket?.subarray(0, 16).toString("latin1") ?? "");
  return startsRequest && (firstLine < 0 || firstLine > MAX_URL_BYTES) ? uriTooLong() : headersTooLarge();
}

/** Most often it is an address typed with letters that have to be escaped. */
function hintOf(packet: Buffer | undefined): string {
  const firstLine = packet?.subarray(0, Math.max(0, packet.indexOf("\r\n"))) ?? [];
  const unescaped = firstLine.some((byte) => byte > 0x7e);
  return unescaped ? " The URL has letters that must be percent-encoded: Zürich is Z%C3%BCrich." : "";
}

/** A whole HTTP response as text: there is no request that Node could make one for. */
function rawResponse(error: ApiError): string {
  const requestId = newRequestId();
  const body = JSON.stringify(errorBody(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Cache-Control: no-store",
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
