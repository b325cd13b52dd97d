import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { once } from "node:events";
import { type AddressInfo, Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import { errorBody } from "../errors/error-body.ts";
import { newRequestId } from "./request-id.ts";
import { REQUEST_FAULTS } from "../errors/request-faults.ts";
import { headersTooLarge, MAX_URL_BYTES, type RequestFault, uriTooLong } from "./request-fault.ts";

/** URL and headers together. Far above what apps allow, so that the app itself refuses nearly all requests that are too large. */
const PARSER_LIMIT_BYTES = 32 * 1024;
/** Longer than load balancers keep an idle connection: the server never closes one while a request is on its way. */
const KEEP_ALIVE_MS = 65_000;

/** A client that sends more slowly is disconnected. Checked every second. */
const HEADERS_WITHIN_MS = 5000;
const REQUEST_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 1000;
/** Bodies up to this size, which clients send with a GET by mistake, are read and ignored. */
const MAX_BODY_BYTES = 8 * 1024;
/** While the server closes, a connection without traffic for this long is idle. */
const IDLE_FOR_MS = 2000;
/** A client that does not read its answer is disconnected after this time, which is longer than any answer takes to make. */
const SILENT_FOR_MS = 30_000;

/** The callback of a Koa app, or a function in front of it. It never rejects. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

type ServerOptions = {
  publicPath: string;
  maxConnections?: number;
  /** Requests whose body may take any time to arrive: the app itself has to notice a silent sender. */
  isUpload?: (request: IncomingMessage) => boolean;
};

/** The HTTP server of an app. A request that can't be parsed is answered in the shape of all errors, with `publicPath` in its link. */
export function createHttpServer(listener: Listener, { publicPath, maxConnections, isUpload }: ServerOptions): Server {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (isUpload?.(request)) {
      request.socket.setTimeout(0);
      // At once, a body that came with the headers may not be parsed yet.
      response.once("finish", () => setImmediate(endIfUnfinished, request));
    } else if (isUpload && !request.complete) endIfLate(request);
    if (bodyIsLong(request)) response.shouldKeepAlive = false;
    void listener(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: PARSER_LIMIT_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_WITHIN_MS,
      // Node has one limit for all requests.
      requestTimeout: isUpload ? 0 : REQUEST_WITHIN_MS,
      connectionsCheckingInterval: LOOK_EVERY_MS,
      // The app refuses a request without Host, in the shape of all errors.
      requireHostHeader: false,
    },
    answer,
  );
  const endIfLate = (request: IncomingMessage) => {
    const late = Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
    const timer = setTimeout(() => {
      if (!request.complete) server.emit("clientError", late, request.socket);
    }, REQUEST_WITHIN_MS);
    request.once("close", () => clearTimeout(timer));
  };
  // For expectations other than 100-continue, Node would answer with an empty 417.
  server.on("checkExpectation", answer);
  server.timeout = SILENT_FOR_MS;
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    socket.end(rawResponse(parseError(error), publicPath));
  });
  return server;
}

/** A refused sender must not hold the connection: nothing limits how slowly the rest of an upload arrives. */
function endIfUnfinished({ complete, socket }: IncomingMessage): void {
  if (!complete) socket.destroySoon();
}

/** Whether a request has a body that is long or of unknown length. The body is not read, so the connection ends with the reply. */
function bodyIsLong({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES;
}

/** Starts listening; returns the URL, with the chosen port when `port` is 0. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, "listening");
  const { address, port: chosen } = server.address() as AddressInfo;
  return `http://${address.includes(":") ? `[${address}]` : address}:${chosen}`;
}

/**
 * Listens before there is an app, because the app needs its address, which is known only then where the port is 0. Requests wait until `answer`
 * is called with it.
 */
export async function openPort({
  port,
  host,
  ...options
}: { port: number; host: string } & Parameters<typeof createHttpServer>[1]): Promise<{
  server: Server;
  address: string;
  answer: (app: Listener) => void;
}> {
  const { promise: app, resolve: answer } = Promise.withResolvers<Listener>();
  const server = createHttpServer(async (request, response) => (await app)(request, response), options);
  return { server, address: await listen(server, port, host), answer };
}

/**
 * Stops listening and gives open requests `withinMs` to finish. A keep-alive connection may have a request on its way when it is
 * closed, so each one gets `Connection: close` with its next answer, and only idle ones are cut.
 */
export async function closeServer(server: Server, withinMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  // The HTTP server's own close would cut all idle connections at once.
  NetServer.prototype.close.call(server);
  server.prependListener("request", (_request, response: ServerResponse) => (response.shouldKeepAlive = false));
  const idle = setTimeout(() => server.closeIdleConnections(), Math.min(IDLE_FOR_MS, withinMs));
  const all = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearTimeout(idle);
  clearTimeout(all);
}

function parseError(error: { code?: string; rawPacket?: Buffer }): RequestFault {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { code: "request_timeout", message: "The request did not arrive in time." };
  }
  if (error.code !== "HPE_HEADER_OVERFLOW") {
    return { code: "invalid_request", message: `This is not a well-formed HTTP request.${hintOf(error.rawPacket)}` };
  }
  const firstLine = error.rawPacket?.indexOf("\r\n") ?? -1;
  const startsRequest = /^[A-Z]+ /.test(error.rawPacket?.subarray(0, 16).toString("latin1") ?? "");
  return startsRequest && (firstLine < 0 || firstLine > MAX_URL_BYTES) ? uriTooLong : headersTooLarge;
}

/** The most common cause: a URL with letters that must be percent-encoded. */
function hintOf(packet: Buffer | undefined): string {
  const firstLine = packet?.subarray(0, Math.max(0, packet.indexOf("\r\n"))) ?? [];
  const unescaped = firstLine.some((byte) => byte > 0x7e);
  return unescaped ? " The URL has letters that must be percent-encoded: Zürich is Z%C3%BCrich." : "";
}

/** A whole HTTP response as text: Node has no request to make a response for. */
function rawResponse(fault: RequestFault, publicPath: string): string {
  const requestId = newRequestId();
  const status = REQUEST_FAULTS[fault.code];
  const body = JSON.stringify(errorBody(fault, { requestId, publicPath }));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Cache-Control: no-store",
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
